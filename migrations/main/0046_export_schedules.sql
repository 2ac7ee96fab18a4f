-- Exports that are made again and again (decision 0053): a row says what and when, workers and `diary exports run-due` make the exports.

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
    -- A run that could not be made is tried again then.
    retry_at timestamptz,
    -- Failed exports from before count no more: it was resumed since.
    resumed_at timestamptz not null default clock_timestamp(),
    constraint export_schedules_pk primary key (tenant_id, user_id, id),
    constraint export_schedules_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint export_schedules_tags check ((tags_sealed is null) = (tag_hashes is null)),
    constraint export_schedules_pause check ((paused_at is null) = (pause_reason is null) and (paused_at is null or next_run_at is null))
);

create index export_schedules_due on export_schedules (next_run_at) where next_run_at is not null;

alter table export_schedules enable row level security, force row level security;

create policy export_schedules_owner on export_schedules to diary_owner using (true) with check (true);
create policy export_schedules_api on export_schedules to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy export_schedules_worker on export_schedules to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, update, delete on export_schedules to diary_api;
grant select, update on export_schedules to diary_worker;

alter table exports
    -- The schedule that it was made by; null when its owner asked for it, and when the schedule was deleted.
    add column schedule_id uuid,
    -- The time that the run was due; null when the owner asked the schedule for it.
    add column period timestamptz,
    add constraint exports_schedule_fk foreign key (tenant_id, user_id, schedule_id)
        references export_schedules (tenant_id, user_id, id) on delete set null (schedule_id);

-- However many runners there are, a period has one export (decision D22).
create unique index exports_of_periods on exports (tenant_id, user_id, schedule_id, period) where schedule_id is not null;
create index exports_of_schedules on exports (tenant_id, user_id, schedule_id, created_at desc, id desc) where schedule_id is not null;

-- An export of a schedule that becomes ready ends those that its owner does not want to keep. The sweeper deletes their zips.
create function end_older_exports() returns trigger
    language plpgsql
    as $$
begin
    update public.exports x set revoked_at = clock_timestamp()
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

create trigger exports_kept after update of status on exports
    for each row when (new.status = 'ready' and old.status <> 'ready' and new.schedule_id is not null)
    execute function end_older_exports();

-- Schedules whose time has come, of one app or of all: ids, rules and times. Those of closed accounts and suspended apps wait.
create function due_export_schedules(tenant uuid, most int)
    returns table (tenant_id uuid, user_id uuid, id uuid, slug text, rule text, starts_on date, hour int, minute int, time_zone text, covers text,
        covered_to date, failures int, day_ends_minute int, next_run_at timestamptz, at timestamptz)
    language sql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.tenant_id, s.user_id, s.id, t.slug, s.rule, s.starts_on, s.hour::int, s.minute::int, s.time_zone, s.covers, s.covered_to, s.failures,
            u.day_ends_minute::int, s.next_run_at, clock_timestamp()
        from public.export_schedules s
            join public.tenants t on t.id = s.tenant_id and t.suspended_at is null
            join public.users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.deleted_at is null and u.disabled_at is null
            join public.user_sync y on y.tenant_id = s.tenant_id and y.user_id = s.user_id and y.closed_at is null
        where s.next_run_at <= statement_timestamp() and (s.retry_at is null or s.retry_at <= statement_timestamp())
            and (tenant is null or s.tenant_id = tenant)
        order by s.next_run_at limit most
    $$;

grant execute on function due_export_schedules(uuid, int) to diary_worker;
