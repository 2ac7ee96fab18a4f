-- Exports that are made again and again (decision 0053).

-- What is exported and when; workers and `diary exports run-due` make the exports.
create table export_schedules (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    -- Its days: all, those of a weekday, the same of each month or the same of each year; a month that is shorter has its last day.
    every text not null constraint export_schedules_every check (every in ('day', 'week', 'month', 'year')),
    weekday text constraint export_schedules_weekday
        check (weekday in ('sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday')),
    day smallint constraint export_schedules_day check (day between 1 and 31),
    month smallint constraint export_schedules_month check (month between 1 and 12),
    -- Its time of day by the wall clock of the zone, in minutes.
    at_minute smallint not null constraint export_schedules_at check (at_minute between 0 and 1439),
    time_zone text not null,
    -- All entries, or what changed since its last export that became ready.
    covers text not null constraint export_schedules_covers check (covers in ('all', 'changes')),
    -- As in `exports`, into whose rows they are copied.
    include_audio boolean not null,
    formats text[] not null
        constraint export_schedules_formats check (formats <@ array['txt', 'md', 'srt', 'transcript_json', 'metadata_json']),
    layer text not null constraint export_schedules_layer check (layer in ('raw', 'clean', 'edited', 'corrected', 'shown')),
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
    -- The time that is claimed next, in whole seconds; null when it is paused.
    next_at timestamptz,
    -- Of its last export that became ready: when it was asked for, and `exports.changes_upto`, after which the next one begins. The latter is
    -- null when there is none that selected as the schedule does now.
    last_at timestamptz,
    changes_upto bigint,
    constraint export_schedules_pk primary key (tenant_id, user_id, id),
    constraint export_schedules_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint export_schedules_tags check ((tags_sealed is null) = (tag_hashes is null)),
    constraint export_schedules_days check (
        (weekday is not null) = (every = 'week') and (day is not null) = (every in ('month', 'year')) and (month is not null) = (every = 'year'))
);

-- By app, so that the due schedules of a suspended app are not read again and again while it is suspended.
create index export_schedules_due_by_app on export_schedules (tenant_id, next_at, id) where next_at is not null;

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

-- Schedules whose time has come, of one app or of all, the longest due first, after one of them. Those of closed accounts and of suspended
-- apps stay due, and one export stands for all that were missed when they are open again.
create function due_export_schedules(tenant uuid, after_at timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, id uuid, slug text, next_at timestamptz, at timestamptz, every text, weekday text, day int,
        month int, at_minute int, time_zone text)
    language sql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select d.tenant_id, d.user_id, d.id, t.slug, d.next_at, clock_timestamp(), d.every, d.weekday, d.day::int, d.month::int,
            d.at_minute::int, d.time_zone
        from public.tenants t
            cross join lateral (
                select s.* from public.export_schedules s
                    join public.users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.deleted_at is null and u.disabled_at is null
                    join public.user_sync y on y.tenant_id = s.tenant_id and y.user_id = s.user_id and y.closed_at is null
                where s.tenant_id = t.id and s.next_at <= statement_timestamp()
                    and (after_id is null or (s.next_at, s.id) > (after_at, after_id))
                order by s.next_at, s.id limit most) d
        where t.suspended_at is null and (tenant is null or t.id = tenant)
        order by d.next_at, d.id limit most
    $$;

-- An export of a schedule that becomes ready ends those that its owner does not want to keep; neither the one that has become ready, which may
-- be older than those that are there, nor one whose mail is still to be sent. The sweeper deletes their zips.
create function end_older_exports() returns trigger
    language plpgsql
    as $$
begin
    update public.exports x set revoked_at = clock_timestamp(), revoked_reason = 'replaced'
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

grant execute on function due_export_schedules to diary_worker;
