-- What accounts used of engines is kept for 13 months, and failed runs of finished entries are among the jobs that an operator tries again.

-- As in 0019, with the days of usage and what is left of reservations. Sums of apps stay (0034). App by app: the indexes begin with it.
create or replace function sweep_bookkeeping(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with jobs as (
            delete from public.jobs where ctid = any (array(select j.ctid from public.jobs j
                where j.state in ('done', 'dead') and j.finished_at < statement_timestamp() - interval '7 days'
                    and (j.state = 'done' or j.finished_at < statement_timestamp() - interval '30 days')
                limit most for update skip locked)) returning 1),
        spent as (
            delete from public.idempotency_keys where ctid = any (array(select k.ctid from public.idempotency_keys k
                where k.created_at < statement_timestamp() - interval '48 hours' limit most for update skip locked)) returning 1),
        codes as (
            delete from public.email_codes where ctid = any (array(select c.ctid from public.email_codes c
                where c.expires_at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        mails as (
            delete from public.mails where ctid = any (array(select m.ctid from public.mails m
                where m.created_at < statement_timestamp() - interval '7 days' limit most for update skip locked)) returning 1),
        sessions as (
            delete from public.sessions where ctid = any (array(select s.ctid from public.sessions s
                where s.expires_at < statement_timestamp() - interval '30 days' limit most for update skip locked)) returning 1),
        events as (
            delete from public.audit_events where ctid = any (array(select e.ctid from public.audit_events e
                where e.at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1),
        challenges as (
            delete from public.sign_in_challenges where ctid = any (array(select c.ctid from public.sign_in_challenges c
                where c.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        notices as (
            delete from public.provider_notices where ctid = any (array(select n.ctid from public.provider_notices n
                where n.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        uses as (
            delete from public.queue_use where ctid = any (array(select u.ctid from public.queue_use u
                where u.at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        days as (
            delete from public.usage_days where ctid = any (array(
                select d.id from public.tenants t cross join lateral (
                    select u.ctid as id from public.usage_days u
                    where u.tenant_id = t.id and u.day < ((statement_timestamp() at time zone 'UTC')::date - interval '13 months')::date
                    order by u.day limit most for update skip locked) d
                limit most)) returning 1),
        reservations as (
            delete from public.usage_reservations where ctid = any (array(
                select r.id from public.tenants t cross join lateral (
                    select v.ctid as id from public.usage_reservations v
                    where v.tenant_id = t.id and v.expires_at < statement_timestamp() - interval '1 day'
                    order by v.expires_at limit most for update skip locked) r
                limit most)) returning 1)
        select greatest((select count(*) from jobs), (select count(*) from spent), (select count(*) from codes), (select count(*) from mails),
            (select count(*) from sessions), (select count(*) from events), (select count(*) from challenges), (select count(*) from notices),
            (select count(*) from uses), (select count(*) from days), (select count(*) from reservations))
    $$;

-- As in 0035, whose function stays for commands of the version before, and also runs of entries that had their texts (0033): such an entry is
-- `transcribed` with the stage and the code of the failure. It has these texts while the run is tried again, and after another failure.
-- `statuses`, `running`: what an entry is while it waits for each of `stages`, the first time and in such a run.
create function admin_retry_jobs(
    job uuid, of_code text, tenant uuid, after uuid, most int, stages text[], statuses text[], running text[], exports text[], operator text
) returns table (id uuid, kind text, again boolean)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    dead public.jobs;
    number bigint;
    apps uuid[] := '{}';
begin
    for dead in
        select j.* from public.jobs j
        where j.state = 'dead' and (job is null or j.id = job) and (of_code is null or j.code = of_code)
            and (tenant is null or j.tenant_id = tenant) and (after is null or j.id > after)
        order by j.id limit most
    loop
        id := dead.id;
        kind := dead.kind;
        again := false;
        -- The user's lock first (decision D9).
        update public.user_sync s set change_number = s.change_number + 1
            where s.tenant_id = dead.tenant_id and s.user_id = dead.user_id and s.closed_at is null returning s.change_number into number;
        if number is not null and not exists (select from public.jobs o where o.tenant_id = dead.tenant_id and o.user_id = dead.user_id
                and o.kind = dead.kind and o.subject = dead.subject and o.state in ('ready', 'leased')) then
            if dead.kind = any (stages) then
                update public.entries e set
                        status = (case e.status when 'transcribed' then running else statuses end)[array_position(stages, dead.kind)],
                        rerun_from = case e.status when 'transcribed' then dead.kind end, stage_attempt = 0, stage_code = null,
                        stage_next_at = null, updated_at = clock_timestamp(), change_number = number
                    where e.tenant_id = dead.tenant_id and e.user_id = dead.user_id and e.id = dead.subject and e.deleted_at is null
                        and (e.status = 'failed' or e.status = 'transcribed' and e.stage_code is not null) and e.stage = dead.kind;
                again := found;
            elsif dead.kind = any (exports) then
                update public.exports x set status = 'queued', code = null
                    where x.tenant_id = dead.tenant_id and x.user_id = dead.user_id and x.id = dead.subject and x.status = 'failed'
                        and x.revoked_at is null;
                again := found;
            end if;
        end if;
        if again then
            update public.jobs j set state = 'ready', run_at = clock_timestamp(), errors = 0, crashes = 0, code = null, progress = null,
                    finished_at = null
                where j.id = dead.id and j.state = 'dead';
            apps := apps || dead.tenant_id;
        end if;
        return next;
    end loop;
    perform public.note_work_act(a.app, 'jobs_retried', null, operator) from (select distinct unnest(apps) as app) a;
end $$;

grant execute on function admin_retry_jobs(uuid, text, uuid, uuid, int, text[], text[], text[], text[], text) to diary_admin;
