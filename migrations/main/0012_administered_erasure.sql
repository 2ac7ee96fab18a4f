-- What an administrator ends for good: an account, or a whole app. The work is the same worker's as for members (0010).

-- Accounts of an app that are not being erased yet, a page at a time.
create function admin_users(tenant uuid, after_user uuid, most int) returns setof uuid
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select u.id from public.users u where u.tenant_id = tenant and u.deleted_at is null
            and u.id > coalesce(after_user, '00000000-0000-0000-0000-000000000000')
        order by u.id limit most
    $$;

-- Null when there is no such account, or it is being erased.
create function admin_request_erasure(
    tenant uuid, member uuid, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision) returns timestamptz
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    if not exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null) then
        return null;
    end if;
    return public.request_erasure(tenant, member, null, true, deletion, receipt, sealed, upload_seconds, null);
end $$;

-- The app itself, when it is suspended and nobody is left in it. False when somebody is.
create function admin_erase_tenant(tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    if exists (select from public.users u where u.tenant_id = tenant) then
        return false;
    end if;
    -- In one step with its note: whoever runs the command again must not find the app gone and nothing written.
    with gone as (delete from public.tenants t where t.id = tenant and t.suspended_at is not null returning t.slug)
        insert into public.tenant_acts (slug, act, operator) select slug, 'erased', operator from gone;
    return found;
end $$;

grant execute on function admin_users(uuid, uuid, int), admin_request_erasure(uuid, uuid, uuid, bytea, bytea, double precision),
    admin_erase_tenant(uuid, text) to diary_admin;
