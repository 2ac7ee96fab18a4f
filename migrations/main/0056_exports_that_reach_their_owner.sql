-- What an export that its owner never had was to bring is in another one; what is said of mails and days is true (decision 0053).

-- An export that ended before anyone had it

alter table exports
    -- Who ended it, where its schedule does not make up for it: its owner, or a newer one (`keep_last`). `earlier`: before this column was there.
    add column revoked_by text constraint exports_revoked_by check (revoked_by in ('owner', 'newer', 'earlier')),
    -- Of a schedule's period: entries of days before it, too, that have a greater change number and were created after this time. They came after the
    -- export of their day was made.
    add column late_after bigint,
    add column late_since timestamptz,
    add constraint exports_late check ((late_after is null) = (late_since is null));

update exports set revoked_by = 'earlier' where revoked_at is not null;

-- Whether a finished export was ended before anyone had it, by a deletion, a change of address or password, or the end of all sessions. One that ran
-- out was there for its time.
create function export_was_lost(revoked_at timestamptz, expires_at timestamptz, revoked_by text, downloads int) returns boolean
    language sql immutable parallel safe
    return coalesce(revoked_at < expires_at and revoked_by is null and downloads = 0, false);

-- The changes that an export holds, by their numbers: of a period those of which late entries are taken.
create function export_changes(first_day date, changed_after bigint, late_after bigint, changes_upto bigint) returns int8range
    language sql immutable parallel safe
    return int8range(
        coalesce(case when first_day > date '0001-01-01' then late_after else changed_after end, 0),
        greatest(coalesce(case when first_day > date '0001-01-01' then late_after else changed_after end, 0), changes_upto), '(]');

-- Changes of a schedule's lost exports that no other of its exports has: one that selected what the schedule selects now, or that of another period. One
-- that continued a lost export does not have them.
create function schedule_uncovered_changes(tenant uuid, member uuid, schedule uuid) returns int8multirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.changes) filter (where x.is_lost), '{}') - coalesce(range_agg(x.changes) filter (where not x.is_lost), '{}')
        from (
            select public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto) as changes,
                public.export_was_lost(y.revoked_at, y.expires_at, y.revoked_by, y.downloads) as is_lost
            from public.exports y join public.export_schedules s on s.tenant_id = tenant and s.user_id = member and s.id = schedule
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule and y.status = 'ready' and y.changes_upto is not null
                and case when s.covers = 'period' then y.period is not null and y.from_day > date '0001-01-01'
                    else y.from_day <= date '0001-01-01' and y.to_day >= date '9999-12-31' and y.kind is not distinct from s.kind
                        and y.tag_hashes is not distinct from s.tag_hashes and (y.include_audio or not s.include_audio) end) x
    $$;

-- As before (0050), but days of a lost export are not covered either.
create or replace function schedule_uncovered_days(tenant uuid, member uuid, schedule uuid) returns datemultirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.days) filter (where not x.is_held), '{}') - coalesce(range_agg(x.days) filter (where x.is_held), '{}')
        from (
            select daterange(y.from_day, y.to_day, '[]') as days,
                y.status = 'ready' and not public.export_was_lost(y.revoked_at, y.expires_at, y.revoked_by, y.downloads) as is_held
            from public.exports y
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule and y.period is not null
                and y.status in ('failed', 'ready') and y.from_day > date '0001-01-01') x
    $$;

grant execute on function export_was_lost(timestamptz, timestamptz, text, int), schedule_uncovered_changes(uuid, uuid, uuid) to diary_api, diary_worker;
grant execute on function export_changes(date, bigint, bigint, bigint) to diary_api, diary_worker;

-- As before (0053), and says that a newer one ended them.
create or replace function end_older_exports() returns trigger
    language plpgsql
    as $$
begin
    update public.exports x set revoked_at = clock_timestamp(), revoked_by = 'newer',
            mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
        where x.tenant_id = new.tenant_id and x.user_id = new.user_id and x.schedule_id = new.schedule_id
            and x.status = 'ready' and x.revoked_at is null
            and x.id in (
                select o.id from public.exports o
                where o.tenant_id = new.tenant_id and o.user_id = new.user_id and o.schedule_id = new.schedule_id
                    and o.status = 'ready' and o.revoked_at is null
                order by o.created_at desc, o.id desc
                offset (select s.keep_last from public.export_schedules s
                    where s.tenant_id = new.tenant_id and s.user_id = new.user_id and s.id = new.schedule_id))
            -- An offset of null is none.
            and exists (select from public.export_schedules s
                where s.tenant_id = new.tenant_id and s.user_id = new.user_id and s.id = new.schedule_id and s.keep_last is not null);
    return null;
end $$;

-- As before (0050), but a lost export of a schedule stays as a failed one does, while its days or changes are in no other, and one that has them as
-- long as it. The newest one stays from which the next is counted.
create or replace function sweep_export_rows(most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('sweep_export_rows')) then
        return 0;
    end if;
    with old as materialized (
        select x.* from public.tenants a, lateral (
            select y.tenant_id, y.user_id, y.id from public.exports y
                cross join lateral (
                    select y.status = 'ready' and public.export_was_lost(y.revoked_at, y.expires_at, y.revoked_by, y.downloads) as is_lost,
                        public.schedule_uncovered_changes(y.tenant_id, y.user_id, y.schedule_id) as uncovered) l
            where y.tenant_id = a.id and y.object_id is null and (y.status in ('ready', 'failed') or y.revoked_at is not null)
                and coalesce(y.revoked_at, y.expires_at, y.created_at) < statement_timestamp() - public.export_row_age(a.configuration)
                and y.work_object_id is null
                and not exists (select from public.export_parts p
                    where p.tenant_id = y.tenant_id and p.user_id = y.user_id and p.export_id = y.id and p.object_id is not null)
                and (y.schedule_id is null or y.status <> 'ready' or y.changes_upto is null or case when l.is_lost then
                        not public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto) && l.uncovered
                    else
                        exists (select from public.exports z
                            where z.tenant_id = y.tenant_id and z.user_id = y.user_id and z.schedule_id = y.schedule_id and z.status = 'ready'
                                and not public.export_was_lost(z.revoked_at, z.expires_at, z.revoked_by, z.downloads)
                                and coalesce(z.changes_upto < lower(l.uncovered), true)
                                and (y.from_day <= date '0001-01-01' or z.period is not null and z.from_day > date '0001-01-01')
                                and (z.changes_upto, z.created_at, z.id) > (y.changes_upto, y.created_at, y.id))
                        and not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id and f.status = 'ready'
                                and public.export_was_lost(f.revoked_at, f.expires_at, f.revoked_by, f.downloads)
                                and (f.from_day > date '0001-01-01') = (y.from_day > date '0001-01-01')
                                and public.export_changes(f.from_day, f.changed_after, f.late_after, f.changes_upto)
                                    && public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto))
                    end)
                and (y.schedule_id is null or y.period is null or case
                    when y.status = 'failed' or l.is_lost then
                        not daterange(y.from_day, y.to_day, '[]') && public.schedule_uncovered_days(y.tenant_id, y.user_id, y.schedule_id)
                    when y.status = 'ready' then
                        not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id and f.period is not null
                                and (f.status = 'failed' or f.status = 'ready'
                                    and public.export_was_lost(f.revoked_at, f.expires_at, f.revoked_by, f.downloads))
                                and f.from_day > date '0001-01-01' and y.from_day > date '0001-01-01'
                                and f.from_day <= y.to_day and f.to_day >= y.from_day)
                    else true end)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- The mail of an export that failed

-- It is not sent: the export says so, and its mail waits again when an operator has the export tried again.
update exports set mail_status = 'failed' where status = 'failed' and mail_status = 'waiting';

-- As before (0037), but the mail of an export waits again, unless the mails of its schedule were ended meanwhile.
create or replace function admin_retry_jobs(
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
                update public.exports x set status = 'queued', code = null,
                        mail_status = case x.mail_status when 'failed' then 'waiting' else x.mail_status end,
                        mail_asked = x.mail_asked and not exists (select from public.export_schedules s
                            where s.tenant_id = x.tenant_id and s.user_id = x.user_id and s.id = x.schedule_id and not s.mail)
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

-- Zips that a schedule keeps

alter table exports
    -- Of a zip that stays by `keep_last` of its schedule, until `expires_at` at the latest: for how long it stays once the schedule keeps it no more.
    add column kept_seconds int constraint exports_kept_seconds check (kept_seconds > 0);

-- Where the schedule goes, or keeps none any more, its zips end as others do, from now on. Before the deletion, which takes the schedule's id from them.
create function release_kept_exports() returns trigger
    language plpgsql
    as $$
begin
    update public.exports x
        set expires_at = least(x.expires_at, clock_timestamp() + make_interval(secs => x.kept_seconds)), kept_seconds = null
        where x.tenant_id = old.tenant_id and x.user_id = old.user_id and x.schedule_id = old.id and x.kept_seconds is not null;
    if tg_op = 'DELETE' then
        return old;
    end if;
    return new;
end $$;

create trigger export_schedules_deleted before delete on export_schedules for each row execute function release_kept_exports();
create trigger export_schedules_keep_none before update of keep_last on export_schedules
    for each row when (old.keep_last is not null and new.keep_last is null) execute function release_kept_exports();
