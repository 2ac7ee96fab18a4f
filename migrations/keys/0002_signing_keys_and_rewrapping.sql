-- Token keys in a ring, and the rotation of the master key (decision 0023).

grant usage on schema public to diary_admin;

-- Which one signs follows from the times alone: the one that began last. Those before it verify until their last token has ended, those
-- to come are published already.
create table signing_keys (
    -- RFC 7638 thumbprint.
    kid text constraint signing_keys_pk primary key constraint signing_keys_kid check (kid ~ '^[A-Za-z0-9_-]{43}$'),
    -- The private key, sealed under this master; null when it was retired.
    master_id text,
    sealed bytea,
    published_at timestamptz not null default clock_timestamp(),
    signs_from timestamptz not null,
    retired_at timestamptz,
    constraint signing_keys_retired check ((sealed is null) = (retired_at is not null) and (master_id is null) = (retired_at is not null))
);

grant select on signing_keys to diary_api, diary_admin;
grant insert, update on signing_keys to diary_admin;

-- Erasure destroys the key of the person whose transaction it is.
grant delete on user_keys to diary_worker;

-- An administrator sees how many keys a master wraps, and the wrapped bytes of those that another one wraps than the current: nothing else of
-- the table, and changes nothing else in it.
create function count_keys() returns table (master text, keys bigint)
    language sql stable security definer set search_path = pg_catalog, public
    as $$ select k.master_id, count(*) from public.user_keys k group by k.master_id $$;

create function keys_to_rewrap(current_master text, after_tenant uuid, after_user uuid, most int)
    returns table (tenant uuid, member uuid, key uuid, master text, wrapped bytea)
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select k.tenant_id, k.user_id, k.key_id, k.master_id, k.wrapped from public.user_keys k
        where k.master_id <> current_master
            and (k.tenant_id, k.user_id) > (coalesce(after_tenant, '00000000-0000-0000-0000-000000000000'), coalesce(after_user, '00000000-0000-0000-0000-000000000000'))
        order by k.tenant_id, k.user_id limit most
    $$;

-- Compare and set: a key that was destroyed or wrapped anew meanwhile stays as it is.
create function rewrap_key(tenant uuid, member uuid, key uuid, old_master text, old_wrapped bytea, new_master text, new_wrapped bytea) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    n bigint;
begin
    update public.user_keys k set master_id = new_master, wrapped = new_wrapped
        where k.tenant_id = tenant and k.user_id = member and k.key_id = key and k.master_id = old_master and k.wrapped = old_wrapped;
    get diagnostics n = row_count;
    return n;
end $$;

grant execute on function count_keys(), keys_to_rewrap(text, uuid, uuid, int), rewrap_key(uuid, uuid, uuid, text, bytea, text, bytea) to diary_admin;

-- Made before anything was granted by default: without it `pg_dump` as diary_backup stops here.
grant select on schema_migrations to diary_backup;
