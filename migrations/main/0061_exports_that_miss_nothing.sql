-- What a schedule's exports have left out comes with a later one: recordings that arrived, words that came and entries that went to an earlier day after the
-- export of their day was made, and what was in a zip whose mail never left (decision 0053).

-- Entries

alter table entries
    -- When it last became what an export that was made before cannot have: its recording was proved whole, its words came, or it went to a day that a
    -- schedule has covered from one that is still to come.
    add column late_at timestamptz;

create function set_entry_late() returns trigger
    language plpgsql
    as $$
begin
    new.late_at := clock_timestamp();
    return new;
end $$;

-- Of a recording when its check has ended, and when its words have come: not when it is heard or cleaned again (`rerun_from`). Not of an import, whose
-- entries have its 16 bytes as `request_hash`.
create trigger entries_late before update of status on entries for each row
    when (new.kind = 'voice' and octet_length(new.request_hash) <> 16 and (
        old.stage = 'verify' and new.stage is distinct from 'verify' and new.status <> 'failed'
        or old.status <> 'transcribed' and new.status = 'transcribed' and old.rerun_from is null))
    execute function set_entry_late();

-- Whether an entry that goes from a day to another would be in no export of a schedule.
create function misses_export(tenant uuid, member uuid, old_day date, new_day date) returns boolean
    language sql stable set search_path = pg_catalog, public, pg_temp
    return exists (select from public.export_schedules s
        where s.tenant_id = tenant and s.user_id = member and s.covers = 'period' and s.covered_to >= new_day
            and public.schedule_covered_to(tenant, member, s.id, s.covered_to) < old_day);

grant execute on function misses_export(uuid, uuid, date, date) to diary_api, diary_worker;

-- As before (0024), and notes when an entry became late.
create or replace function set_entry_day() returns trigger
    language plpgsql
    as $$
begin
    select public.diary_day(new.recorded_local, u.day_ends_minute) into new.local_date
        from public.users u where u.tenant_id = new.tenant_id and u.id = new.user_id;
    -- The account was erased during this request: the foreign key answers.
    new.local_date := coalesce(new.local_date, public.diary_day(new.recorded_local, 0));
    if tg_op = 'UPDATE' and new.local_date <> old.local_date then
        new.day_changed_at := clock_timestamp();
        if public.misses_export(new.tenant_id, new.user_id, old.local_date, new.local_date) then
            new.late_at := new.day_changed_at;
        end if;
    end if;
    return new;
end $$;

-- As before (0024), and notes which entries became late.
create or replace function move_entry_days() returns trigger
    language plpgsql set enable_nestloop = off -- as before
    as $$
declare
    moved bigint;
    before bigint;
begin
    -- An entry that is created meanwhile waits here, or has been committed and is seen by the next statements.
    perform from public.user_sync s where s.tenant_id = new.tenant_id and s.user_id = new.id for update;
    select count(*) into moved from public.entries e
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.deleted_at is null
            and e.local_date <> public.diary_day(e.recorded_local, new.day_ends_minute);
    update public.user_sync s set change_number = s.change_number + moved
        where s.tenant_id = new.tenant_id and s.user_id = new.id and moved > 0
        returning s.change_number - moved into before;
    update public.entries e
        set local_date = m.day, day_changed_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = before + m.place,
            late_at = case when public.misses_export(new.tenant_id, new.id, e.local_date, m.day) then clock_timestamp() else e.late_at end
        from (
            select x.id, public.diary_day(x.recorded_local, new.day_ends_minute) as day,
                row_number() over (order by x.change_number) as place
            from public.entries x
            where x.tenant_id = new.tenant_id and x.user_id = new.id and x.deleted_at is null
                and x.local_date <> public.diary_day(x.recorded_local, new.day_ends_minute)) m
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.id = m.id;
    return null;
end $$;

-- Exports

-- Whether what a finished export of a schedule holds has reached no one, though its owner did not end it: it was revoked before anyone had it (by a
-- deletion, a change of address or password, or the end of all sessions), or its mail could not be sent while it was there, also where a newer one ended it. One that ran out was there
-- for its time. The function of before (0056) is for processes of the version before.
create function export_was_lost(x exports) returns boolean
    language sql immutable parallel safe
    return coalesce(x.downloads = 0 and (x.revoked_at < x.expires_at and x.revoked_by is null
        or x.mail_asked and x.mail_status = 'failed' and x.code = 'mail_unavailable' and coalesce(x.revoked_by, 'newer') = 'newer'), false);

grant execute on function export_was_lost(exports) to diary_api, diary_worker;

-- As before (0056).
create or replace function schedule_uncovered_changes(tenant uuid, member uuid, schedule uuid) returns int8multirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.changes) filter (where x.is_lost), '{}') - coalesce(range_agg(x.changes) filter (where not x.is_lost), '{}')
        from (
            select public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto) as changes, public.export_was_lost(y) as is_lost
            from public.exports y join public.export_schedules s on s.tenant_id = tenant and s.user_id = member and s.id = schedule
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule and y.status = 'ready' and y.changes_upto is not null
                and case when s.covers = 'period' then y.period is not null and y.from_day > date '0001-01-01'
                    else y.from_day <= date '0001-01-01' and y.to_day >= date '9999-12-31' and y.kind is not distinct from s.kind
                        and y.tag_hashes is not distinct from s.tag_hashes and (y.include_audio or not s.include_audio) end) x
    $$;

create or replace function schedule_uncovered_days(tenant uuid, member uuid, schedule uuid) returns datemultirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.days) filter (where not x.is_held), '{}') - coalesce(range_agg(x.days) filter (where x.is_held), '{}')
        from (
            select daterange(y.from_day, y.to_day, '[]') as days, y.status = 'ready' and not public.export_was_lost(y) as is_held
            from public.exports y
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule and y.period is not null
                and y.status in ('failed', 'ready') and y.from_day > date '0001-01-01') x
    $$;

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
                    select y.status = 'ready' and public.export_was_lost(y) as is_lost,
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
                                and not public.export_was_lost(z)
                                and coalesce(z.changes_upto < lower(l.uncovered), true)
                                and (y.from_day <= date '0001-01-01' or z.period is not null and z.from_day > date '0001-01-01')
                                and (z.changes_upto, z.created_at, z.id) > (y.changes_upto, y.created_at, y.id))
                        and not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id and f.status = 'ready'
                                and public.export_was_lost(f)
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
                                and (f.status = 'failed' or f.status = 'ready' and public.export_was_lost(f))
                                and f.from_day > date '0001-01-01' and y.from_day > date '0001-01-01'
                                and f.from_day <= y.to_day and f.to_day >= y.from_day)
                    else true end)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- As before (0056), but neither the one that has become ready, which may be older than those that are there, nor one whose mail is still to be sent.
create or replace function end_older_exports() returns trigger
    language plpgsql
    as $$
begin
    update public.exports x set revoked_at = clock_timestamp(), revoked_by = 'newer'
        where x.tenant_id = new.tenant_id and x.user_id = new.user_id and x.schedule_id = new.schedule_id
            and x.status = 'ready' and x.revoked_at is null and x.id <> new.id
            and not (x.mail_asked and x.mail_status = 'waiting' and x.expires_at > clock_timestamp())
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
