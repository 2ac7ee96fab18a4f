-- Uploads whose app never said that they are there are asked for by what lies in staging, which is little, and not by all entries that wait (0006), each of
-- which had to be looked for in the store.
create function sweep_arrived(tenants uuid[], members uuid[], objects uuid[])
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at
        from unnest(tenants, members, objects) as o (tenant, member, object)
            join public.entries e on e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
        where e.status = 'awaiting_upload' and e.deleted_at is null
    $$;

grant execute on function sweep_arrived(uuid[], uuid[], uuid[]) to diary_worker;
