-- Exports that are made again and again (decision 0053).

-- What is exported and when; workers and `diary exports run-due` make the exports.
create table export_schedules (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    -- Its days: a recurrence rule (RFC 5545) as `RecurrenceRule` writes it, which counts from `starts_on`.
    rule text not null constraint export_schedules_rule check (char_length(rule) between 9 and 600),
    starts_on date not null,
    -- Its time of day by the wall clock of the zone.
    hour smallint not null constraint export_schedules_hour check (hour between 0 and 23),
    minute smallint not null constraint export_schedules_minute check (minute between 0 and 59),
    time_zone text not null,
    -- All entries, those of the days since the run before, or what changed since the last export that became ready.
    covers text not null constraint export_schedules_covers check (covers in ('all', 'period', 'changes')),
    -- As in `exports`, into whose rows they are copied.
    include_audio boolean not null,
    formats text[] not null
        constraint export_schedules_formats check (formats <@ array['txt', 'md', 'srt', 'transcript_json', 'metadata_json']),
    layer text not null constraint export_schedules_layer check (layer in ('raw', 'clean', 'edited', 'shown')),
    kind text constraint export_schedules_kind check (kind in ('voice', 'text')),
    tags_sealed bytea,
    tag_hashes bigint[],
    -- How many of its exports stay when a newer one becomes ready; null: as long as any export does.
    keep_last int constraint export_schedules_keep_last check (keep_last between 1 and 100),
    mail boolean not null,
    -- Grows with its owner's changes only.
    version bigint not null default 1,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    -- The period that is claimed next; null when it is paused and after its last.
    next_run_at timestamptz,
    last_run_at timestamptz,
    -- The last day that a run with `covers` = 'period' has covered.
    covered_to date,
    paused_at timestamptz,
    pause_reason text constraint export_schedules_pause_reason check (pause_reason in ('owner', 'failures')),
    -- Runs that could not be made, one after the other, and why the last of them could not.
    failures int not null default 0,
    error_code text constraint export_schedules_error check (error_code ~ '^[a-z][a-z_]{2,40}$'),
    error_at timestamptz,
    -- When a run that could not be made is tried again.
    retry_at timestamptz,
    -- When it was made or resumed: failed exports from before do not count.
    resumed_at timestamptz not null default clock_timestamp(),
    constraint export_schedules_pk primary key (tenant_id, user_id, id),
    constraint export_schedules_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint export_schedules_tags check ((tags_sealed is null) = (tag_hashes is null)),
    constraint export_schedules_pause check ((paused_at is null) = (pause_reason is null) and (paused_at is null or next_run_at is null))
);

-- By app, so that the due schedules of a suspended app are not read again and again while it is suspended.
create index export_schedules_due_by_app on export_schedules (tenant_id, next_run_at) where next_run_at is not null;

alter table export_schedules enable row level security, force row level security;
create policy export_schedules_owner on export_schedules to diary_owner using (true) with check (true);
create policy export_schedules_api on export_schedules to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy export_schedules_worker on export_schedules to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update, delete on export_schedules to diary_api;
grant select, update on export_schedules to diary_worker;

-- Here, because the schedules come after the exports.
alter table exports add constraint exports_schedule_fk foreign key (tenant_id, user_id, schedule_id)
    references export_schedules (tenant_id, user_id, id) on delete set null (schedule_id);

-- Whether what a finished export of a schedule holds has reached no one, though its owner did not end it: it was revoked before anyone had
-- it (by a deletion, a change of address or password, or the end of all sessions), or its mail could not be sent while it was there, also
-- where a newer one ended it. One that ran out was there for its time.
create function export_was_lost(x exports) returns boolean
    language sql immutable parallel safe
    return coalesce(x.downloads = 0 and (x.revoked_at < x.expires_at and x.revoked_by is null
        or x.mail_asked and x.mail_status = 'failed' and x.code = 'mail_unavailable' and coalesce(x.revoked_by, 'newer') = 'newer'), false);

-- The changes that an export holds, by their numbers: of a period those from which late entries are taken.
create function export_changes(first_day date, changed_after bigint, late_after bigint, changes_upto bigint) returns int8range
    language sql immutable parallel safe
    return int8range(
        coalesce(case when first_day > date '0001-01-01' then late_after else changed_after end, 0),
        greatest(coalesce(case when first_day > date '0001-01-01' then late_after else changed_after end, 0), changes_upto), '(]');

-- Days of a schedule's failed and lost exports that no export which became ready has: day by day, because a later export need not begin
-- where the failed one did. Exports of a run by hand do not count; those of all days neither, since they may have been made before.
create function schedule_uncovered_days(tenant uuid, member uuid, schedule uuid) returns datemultirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.days) filter (where not x.is_held), '{}') - coalesce(range_agg(x.days) filter (where x.is_held), '{}')
        from (
            select daterange(y.from_day, y.to_day, '[]') as days, y.status = 'ready' and not public.export_was_lost(y) as is_held
            from public.exports y
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule and y.period is not null
                and y.status in ('failed', 'ready') and y.from_day > date '0001-01-01') x
    $$;

-- Changes of a schedule's lost exports that no other of its exports has: one that selected what the schedule selects now, or that of
-- another period. One that continued a lost export does not have them.
create function schedule_uncovered_changes(tenant uuid, member uuid, schedule uuid) returns int8multirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(x.changes) filter (where x.is_lost), '{}')
            - coalesce(range_agg(x.changes) filter (where not x.is_lost), '{}')
        from (
            select public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto) as changes,
                public.export_was_lost(y) as is_lost
            from public.exports y join public.export_schedules s on s.tenant_id = tenant and s.user_id = member and s.id = schedule
            where y.tenant_id = tenant and y.user_id = member and y.schedule_id = schedule
                and y.status = 'ready' and y.changes_upto is not null
                and case when s.covers = 'period' then y.period is not null and y.from_day > date '0001-01-01'
                    else y.from_day <= date '0001-01-01' and y.to_day >= date '9999-12-31' and y.kind is not distinct from s.kind
                        and y.tag_hashes is not distinct from s.tag_hashes and (y.include_audio or not s.include_audio) end) x
    $$;

-- The days that exports of a schedule have covered, without those of failed and lost exports that no later one has: the next run begins
-- after them, whether it is due or its owner asks for it.
create function schedule_covered_to(tenant uuid, member uuid, schedule uuid, covered date) returns date
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select least(covered, lower(public.schedule_uncovered_days(tenant, member, schedule)) - 1)
    $$;

-- Whether an entry that goes from a day to another would be in no export of a schedule.
create function misses_export(tenant uuid, member uuid, old_day date, new_day date) returns boolean
    language sql stable set search_path = pg_catalog, public, pg_temp
    return exists (select from public.export_schedules s
        where s.tenant_id = tenant and s.user_id = member and s.covers = 'period' and s.covered_to >= new_day
            and public.schedule_covered_to(tenant, member, s.id, s.covered_to) < old_day);

-- Schedules whose time has come, of one app or of all: ids, rules and times; of each app that is not suspended the longest due, and of
-- these the longest due. Those of closed accounts wait. Those of a suspended app stay due, and one export stands for all that were missed
-- when it is resumed.
create function due_export_schedules(tenant uuid, most int)
    returns table (tenant_id uuid, user_id uuid, id uuid, slug text, rule text, starts_on date, hour int, minute int, time_zone text,
        covers text, covered_to date, failures int, day_ends_minute int, next_run_at timestamptz, at timestamptz)
    language sql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select d.tenant_id, d.user_id, d.id, t.slug, d.rule, d.starts_on, d.hour::int, d.minute::int, d.time_zone, d.covers,
            public.schedule_covered_to(d.tenant_id, d.user_id, d.id, d.covered_to), d.failures, d.day_ends_minute::int, d.next_run_at,
            clock_timestamp()
        from public.tenants t
            cross join lateral (
                select s.*, u.day_ends_minute from public.export_schedules s
                    join public.users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.deleted_at is null and u.disabled_at is null
                    join public.user_sync y on y.tenant_id = s.tenant_id and y.user_id = s.user_id and y.closed_at is null
                where s.tenant_id = t.id and s.next_run_at <= statement_timestamp()
                    and (s.retry_at is null or s.retry_at <= statement_timestamp())
                order by s.next_run_at limit most) d
        where t.suspended_at is null and (tenant is null or t.id = tenant)
        order by d.next_run_at limit most
    $$;

-- An export of a schedule that becomes ready ends those that its owner does not want to keep, and says that a newer one ended them; neither
-- the one that has become ready, which may be older than those that are there, nor one whose mail is still to be sent. No mail of a revoked
-- export waits. The sweeper deletes their zips.
create function end_older_exports() returns trigger
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

create trigger exports_kept after update of status on exports
    for each row when (new.status = 'ready' and old.status <> 'ready' and new.schedule_id is not null)
    execute function end_older_exports();

-- Where the schedule goes, or keeps none any more, its zips end as others do, from now on. Before the deletion, which takes the schedule's
-- id from them.
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

grant execute on function export_was_lost, export_changes, schedule_uncovered_days, schedule_uncovered_changes, schedule_covered_to,
    misses_export to diary_api, diary_worker;
grant execute on function due_export_schedules to diary_worker;
