-- Operators hold queues and try failed jobs again; members see how far their recordings are; what waits without a job gets one.

-- Percent of the work that is done, as the worker said with its last heartbeat; null when the job does not say.
alter table jobs add column progress smallint constraint jobs_progress check (progress between 0 and 100);

-- Queues of which workers take no new jobs. What they have they finish.
create table paused_work (
    id uuid not null default gen_random_uuid() constraint paused_work_pk primary key,
    queue text not null,
    -- Of one app; null of all.
    app uuid constraint paused_work_app_fk references tenants (id) on delete cascade,
    at timestamptz not null default clock_timestamp(),
    operator text not null constraint paused_work_operator check (char_length(operator) between 1 and 100)
);

create unique index paused_work_of_all on paused_work (queue) where app is null;
create unique index paused_work_of_app on paused_work (queue, app) where app is not null;

grant select on paused_work to diary_worker;

-- The acts are listed in the service's code alone, as kinds of jobs are (0018). Acts on all apps at once have the slug `*`, which no app has.
alter table tenant_acts drop constraint if exists tenant_acts_act;

-- As before (0026), and nothing of what is held: the claim itself reads it, so that a pause holds for the next claim of every worker.
create or replace function next_job(of_queue text, of_kinds text[], of_class int, worker text, account_most int, has_suspect boolean) returns jobs
    language plpgsql
    as $$
declare
    -- Accounts of an app that one claim looks at.
    looked_at constant int := 100;
    light_seconds constant double precision := 5;
    -- Apps in which it looks for light accounts first: those that have used the class least.
    light_apps constant int := 10;
    app uuid;
    account uuid;
    found public.jobs;
    class_use constant text := use_class(of_queue, of_class);
    apps constant uuid[] := (
        select array_agg(w order by coalesce(faded(u.seconds, u.at), 0), random()) from waiting_apps(of_kinds, of_class) w
            left join public.queue_use u on u.queue = class_use and u.subject = use_subject(w)
        where not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = w)));
begin
    if apps is null then return null; end if;
    for is_light in reverse 1..0 loop
        foreach app in array (case is_light when 1 then apps[:light_apps] else apps end) loop
            for account in
                select a.id from (
                    select w as id from waiting_accounts(of_kinds, of_class, app, waiting_start(of_kinds, of_class, app), looked_at) w
                    union
                    select w from waiting_accounts(of_kinds, of_class, app, '00000000-0000-0000-0000-000000000000', looked_at) w) a
                    left join public.queue_use u on u.queue = class_use and u.subject = use_subject(app, a.id)
                where account_most > (select count(*) from public.jobs h
                        where h.state = 'leased' and h.leased_by = worker and h.tenant_id = app and h.user_id = a.id and h.kind = any (of_kinds))
                    and (is_light = 0 or coalesce(faded(u.seconds, u.at), 0) < light_seconds)
                order by coalesce(faded(u.seconds, u.at), 0), random()
            loop
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice (A13).
                select j.* into found from unnest(of_kinds) as k (kind) cross join lateral (
                    select r.* from public.jobs r where r.state = 'ready' and r.kind = k.kind and (r.cost > 10)::int = of_class
                        and r.tenant_id = app and r.user_id = account
                        and r.run_at <= clock_timestamp() and not (r.crashes > 0 and has_suspect)
                    order by r.run_at limit 1 for update skip locked) j
                order by j.run_at limit 1;
                if found.id is not null then return found; end if;
            end loop;
        end loop;
    end loop;
    return null;
end $$;

create function note_work_act(tenant uuid, done text, queue text, operator text) returns void
    language sql
    as $$
        insert into public.tenant_acts (slug, act, settings, operator)
            select coalesce((select t.slug from public.tenants t where t.id = tenant), '*'), done,
                case when queue is null then '{}' else array[queue] end, operator
    $$;

-- Holds a queue, of one app or of all. False when it was held already.
create function admin_pause_work(of_queue text, tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    insert into public.paused_work (queue, app, operator) values (of_queue, tenant, operator) on conflict do nothing;
    if not found then return false; end if;
    perform public.note_work_act(tenant, 'work_paused', of_queue, operator);
    return true;
end $$;

-- False when it was not held.
create function admin_resume_work(of_queue text, tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.paused_work p where p.queue = of_queue and p.app is not distinct from tenant;
    if not found then return false; end if;
    perform public.note_work_act(tenant, 'work_resumed', of_queue, operator);
    return true;
end $$;

create function admin_paused_work() returns table (queue text, slug text, at timestamptz, operator text)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select p.queue, t.slug, p.at, p.operator from public.paused_work p left join public.tenants t on t.id = p.app
        order by p.queue, t.slug nulls first
    $$;

-- Makes jobs that have failed permanently ready again, tries counted anew, and their entries and exports wait as before. A page in the order of
-- ids, one row for each job looked at; `again` is false where there is nothing left to do: the entry was deleted, was retried by its owner or
-- has another job, or it is a mail, whose words are not kept.
-- `stages` and `statuses`: the kinds that work on entries, and what an entry is while it waits for each. `exports`: kinds that work on exports.
create function admin_retry_jobs(
    job uuid, of_code text, tenant uuid, after uuid, most int, stages text[], statuses text[], exports text[], operator text
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
                update public.entries e set status = statuses[array_position(stages, dead.kind)], stage_attempt = 0, stage_code = null,
                        stage_next_at = null, updated_at = clock_timestamp(), change_number = number
                    where e.tenant_id = dead.tenant_id and e.user_id = dead.user_id and e.id = dead.subject and e.deleted_at is null
                        and e.status = 'failed' and e.stage = dead.kind;
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

-- Recordings on their way, for the sweep below.
create index entries_in_work on entries (created_at, id) where status in ('uploaded', 'transcribing', 'cleaning') and deleted_at is null;

-- Entries that wait for a job that is not there. No step of the service leaves one; what a hand or a fault did is found here. Nothing has
-- changed in them for a while, so none is between two transactions.
create function sweep_stranded(older_than interval, most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid, status text, stage text)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.status, e.stage from public.entries e
        where e.status in ('uploaded', 'transcribing', 'cleaning') and e.deleted_at is null and e.updated_at < clock_timestamp() - older_than
            and not exists (select from public.jobs j where j.tenant_id = e.tenant_id and j.user_id = e.user_id and j.subject = e.id
                and j.state in ('ready', 'leased'))
            and not exists (select from public.user_sync s where s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is not null)
        limit most
    $$;

-- How many there are, for `diary jobs stats`.
create function admin_stranded() returns bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select count(*) from public.sweep_stranded(interval '1 minute', 10000) $$;

-- Where an entry of the transaction's account stands: its place among the account's own recordings that wait for the same stage (1 is next), an
-- estimate of the seconds until it begins, and percent of the work that is done. No row without a job. Looks at 1,000 jobs of the account, 100
-- accounts of the app, and one job of each other app. The estimate: the work of the account's jobs before it, shared out with the accounts and
-- apps that wait, by what runs now. Unknown (null) while the queue is held, no worker is alive, none works on what is waiting, or the stage is tried again later.
create function queue_place(entry uuid, of_stage text, of_queue text, alive_seconds double precision)
    returns table (place int, wait_seconds double precision, percent int)
    -- Strict: an entry that waits for nothing is null here, and costs nothing.
    language plpgsql stable strict rows 1 security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    own public.jobs;
    class int;
    seconds double precision;
    sharing double precision;
    running bigint;
begin
    select j.* into own from public.jobs j
        where j.tenant_id = public.current_tenant() and j.user_id = public.current_member() and j.kind = of_stage and j.subject = entry
            and j.state in ('ready', 'leased');
    if own.id is null then return; end if;
    if own.state = 'leased' then
        percent := own.progress;
        return next;
        return;
    end if;
    if own.run_at > clock_timestamp() then
        return next;
        return;
    end if;
    class := (own.cost > 10)::int;
    select count(*) + 1, coalesce(sum(b.cost), 0) into place, seconds from (
        select j.cost from public.jobs j
        where j.state = 'ready' and j.kind = of_stage and (j.cost > 10)::int = class
            and j.tenant_id = own.tenant_id and j.user_id = own.user_id and j.run_at < own.run_at
        order by j.run_at limit 1000) b;
    if exists (select from public.workers w where w.seen_at > clock_timestamp() - make_interval(secs => alive_seconds))
        and not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = own.tenant_id)) then
        sharing := (select greatest(count(*), 1) from public.waiting_apps(array[of_stage], class))
            * (select greatest(count(*), 1)
                from public.waiting_accounts(array[of_stage], class, own.tenant_id, '00000000-0000-0000-0000-000000000000', 100));
        select count(*) into running from (
            select from public.jobs j where j.state = 'leased' and j.kind = of_stage and j.lease_until > clock_timestamp() limit 1000) r;
        wait_seconds := case when running > 0 then ((seconds + own.cost) * sharing - own.cost) / running when place = 1 and sharing = 1 then 0 end;
    end if;
    return next;
end $$;

grant execute on function queue_place(uuid, text, text, double precision) to diary_api;
grant execute on function sweep_stranded(interval, int) to diary_worker;
grant execute on function admin_pause_work(text, uuid, text), admin_resume_work(text, uuid, text), admin_paused_work(),
    admin_retry_jobs(uuid, text, uuid, uuid, int, text[], text[], text[], text), admin_stranded() to diary_admin;
