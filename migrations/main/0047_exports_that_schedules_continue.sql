-- As before (0043), but the newest export of a schedule stays as long as the schedule: the next one of changes alone begins where it ended, and
-- would hold everything again (decision 0051).
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
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;
