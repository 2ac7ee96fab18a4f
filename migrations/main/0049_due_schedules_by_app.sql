-- The days that exports of a schedule have covered, without those of failed exports that no later one covers: the next run begins after them, whether
-- it is due or its owner asks for it.
create function schedule_covered_to(tenant uuid, member uuid, schedule uuid, covered date) returns date
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select least(covered, (
            select min(x.from_day) - 1 from public.exports x
            where x.tenant_id = tenant and x.user_id = member and x.schedule_id = schedule and x.period is not null
                and x.status = 'failed' and x.from_day > date '0001-01-01'
                and x.from_day > coalesce((
                    select max(r.to_day) from public.exports r
                    where r.tenant_id = tenant and r.user_id = member and r.schedule_id = schedule and r.period is not null
                        and r.status = 'ready' and r.to_day < date '9999-12-31'), '-infinity'::date)))
    $$;

grant execute on function schedule_covered_to(uuid, uuid, uuid, date) to diary_api, diary_worker;

-- By app, so that the due schedules of a suspended app are not read again and again while it is suspended.
create index export_schedules_due_by_app on export_schedules (tenant_id, next_run_at) where next_run_at is not null;
drop index export_schedules_due;

-- As before (0048), but app by app: of each that is not suspended the longest due, and of these the longest due. Those of a suspended app stay due, and
-- one export stands for all that were missed when it is resumed.
create or replace function due_export_schedules(tenant uuid, most int)
    returns table (tenant_id uuid, user_id uuid, id uuid, slug text, rule text, starts_on date, hour int, minute int, time_zone text, covers text,
        covered_to date, failures int, day_ends_minute int, next_run_at timestamptz, at timestamptz)
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
