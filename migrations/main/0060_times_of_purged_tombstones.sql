-- A feed that begins at a time says 410 when a deletion since then was purged. How long tombstones are kept is a setting of the app, which may have
-- been another one when they were purged, so the time of the newest is kept. Null until the first purge from now on; then 90 days count, as before.
alter table user_sync add column purged_before timestamptz;

-- As before (0040), but for that time.
create or replace function sweep_tombstones(most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('sweep_tombstones')) then
        return 0;
    end if;
    with old as materialized (
        select x.* from public.tenants a, lateral (
            select e.tenant_id, e.user_id, e.id, e.change_number, e.updated_at from public.entries e
            where e.tenant_id = a.id and e.deleted_at < statement_timestamp() - public.tombstone_age(a.configuration)
                and e.trash_ends_at is null
            order by e.deleted_at limit most) x
        limit most),
    -- The user's lock first, then their tombstones (decision D9).
    marked as (
        update public.user_sync s set purged_through = greatest(s.purged_through, t.last), purged_before = greatest(s.purged_before, t.newest)
        from (select o.tenant_id, o.user_id, max(o.change_number) as last, max(o.updated_at) as newest
            from old o group by o.tenant_id, o.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id returning s.tenant_id, s.user_id)
    delete from public.entries e using old o join marked m on m.tenant_id = o.tenant_id and m.user_id = o.user_id
        where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;
