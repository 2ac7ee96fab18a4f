-- Days of a schedule's failed exports that no export which became ready has: day by day, because a later export need not begin where the failed one
-- did. Exports of a run by hand do not count; those of all days neither, since they may have been made before.
create function schedule_uncovered_days(tenant uuid, member uuid, schedule uuid) returns datemultirange
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select coalesce(range_agg(daterange(x.from_day, x.to_day, '[]')) filter (where x.status = 'failed'), '{}')
            - coalesce(range_agg(daterange(x.from_day, x.to_day, '[]')) filter (where x.status = 'ready'), '{}')
        from public.exports x
        where x.tenant_id = tenant and x.user_id = member and x.schedule_id = schedule and x.period is not null
            and x.status in ('failed', 'ready') and x.from_day > date '0001-01-01'
    $$;

grant execute on function schedule_uncovered_days(uuid, uuid, uuid) to diary_api, diary_worker;

-- As before (0049), but a later export that does not have the days of one that failed does not stand for it.
create or replace function schedule_covered_to(tenant uuid, member uuid, schedule uuid, covered date) returns date
    language sql stable set search_path = pg_catalog, public, pg_temp
    as $$
        select least(covered, lower(public.schedule_uncovered_days(tenant, member, schedule)) - 1)
    $$;

-- As before (0047), but a failed export of a schedule stays while its days are in no other: nothing else remembers them. One that became ready stays
-- as long as a failed one that shares a day with it: without it these days would be covered again.
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
            where y.tenant_id = a.id and y.object_id is null and (y.status in ('ready', 'failed') or y.revoked_at is not null)
                and coalesce(y.revoked_at, y.expires_at, y.created_at) < statement_timestamp() - public.export_row_age(a.configuration)
                and y.work_object_id is null
                and not exists (select from public.export_parts p
                    where p.tenant_id = y.tenant_id and p.user_id = y.user_id and p.export_id = y.id and p.object_id is not null)
                and (y.schedule_id is null or y.status <> 'ready' or y.changes_upto is null
                    or exists (select from public.exports z
                        where z.tenant_id = y.tenant_id and z.user_id = y.user_id and z.schedule_id = y.schedule_id and z.status = 'ready'
                            and (z.changes_upto, z.created_at, z.id) > (y.changes_upto, y.created_at, y.id)))
                and (y.schedule_id is null or y.period is null or case y.status
                    when 'failed' then
                        not daterange(y.from_day, y.to_day, '[]') && public.schedule_uncovered_days(y.tenant_id, y.user_id, y.schedule_id)
                    when 'ready' then
                        not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id and f.period is not null
                                and f.status = 'failed' and f.from_day > date '0001-01-01' and y.from_day > date '0001-01-01'
                                and f.from_day <= y.to_day and f.to_day >= y.from_day)
                    else true end)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;
