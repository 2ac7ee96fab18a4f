-- A period whose export failed is in no export of its schedule: the next one begins where it began. Days that an export has covered since then are
-- not repeated.

create or replace function due_export_schedules(tenant uuid, most int)
    returns table (tenant_id uuid, user_id uuid, id uuid, slug text, rule text, starts_on date, hour int, minute int, time_zone text, covers text,
        covered_to date, failures int, day_ends_minute int, next_run_at timestamptz, at timestamptz)
    language sql volatile security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.tenant_id, s.user_id, s.id, t.slug, s.rule, s.starts_on, s.hour::int, s.minute::int, s.time_zone, s.covers,
            least(s.covered_to, (
                select min(x.from_day) - 1 from public.exports x
                where x.tenant_id = s.tenant_id and x.user_id = s.user_id and x.schedule_id = s.id and x.period is not null
                    and x.status = 'failed' and x.from_day > date '0001-01-01'
                    and x.from_day > coalesce((
                        select max(r.to_day) from public.exports r
                        where r.tenant_id = s.tenant_id and r.user_id = s.user_id and r.schedule_id = s.id and r.period is not null
                            and r.status = 'ready' and r.to_day < date '9999-12-31'), '-infinity'::date))),
            s.failures, u.day_ends_minute::int, s.next_run_at, clock_timestamp()
        from public.export_schedules s
            join public.tenants t on t.id = s.tenant_id and t.suspended_at is null
            join public.users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.deleted_at is null and u.disabled_at is null
            join public.user_sync y on y.tenant_id = s.tenant_id and y.user_id = s.user_id and y.closed_at is null
        where s.next_run_at <= statement_timestamp() and (s.retry_at is null or s.retry_at <= statement_timestamp())
            and (tenant is null or s.tenant_id = tenant)
        order by s.next_run_at limit most
    $$;
