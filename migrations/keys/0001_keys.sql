-- The key store (decision D15): a database of its own, in production a server of its own with short backup retention, so that restoring
-- diaries and objects from before an erasure brings no key back. Keys lie here sealed by the master key ring, which no database holds.

revoke all on schema public from public;
grant usage on schema public to diary_api, diary_auth, diary_worker, diary_admin, diary_backup;
alter default privileges in schema public grant select on tables to diary_backup;
-- A function may be called by its owner alone until it is granted. A per-schema default cannot take back the global one.
alter default privileges revoke execute on functions from public;

-- A function that runs as its owner must not find what its caller made: `search_path` of each ends with pg_temp, which is searched first
-- otherwise, and no role has a reason to make temporary tables.
do $$
begin
    execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Made by the migrator before the default privileges above. API and worker compare the applied migrations with those they were built with,
-- and refuse another schema.
grant select on schema_migrations to diary_api, diary_worker, diary_backup;

-- As in the other database.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function current_member() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user_id', true), '')::uuid;

create function set_owner(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', coalesce(member::text, ''), true);
end $$;

grant execute on function current_tenant, current_member, set_owner to diary_api, diary_auth, diary_worker;

-- The data key of an account, wrapped by a master key. Destroying the row erases what the key sealed.
create table user_keys (
    tenant_id uuid not null,
    user_id uuid not null,
    key_id uuid not null,
    master_id text not null,
    wrapped bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint user_keys_pk primary key (tenant_id, user_id)
);

alter table user_keys enable row level security, force row level security;
create policy user_keys_owner on user_keys to diary_owner using (true) with check (true);
create policy user_keys_api on user_keys to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_keys_auth on user_keys to diary_auth using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_keys_worker on user_keys to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select on user_keys to diary_api;
grant select, insert, delete on user_keys to diary_auth;
grant select, delete on user_keys to diary_worker;

-- Keys that sign tokens, in a ring (decision 0005). Which one signs follows from the times alone: the one that began last. Those before it
-- verify until their last token has ended, those to come are published already.
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

grant select on signing_keys to diary_api;
grant select, insert, update on signing_keys to diary_admin;

-- Whether the keys of the settings are the ones that this database belongs to: a keyed hash of each master key's name and of the service
-- secret's, made when a process first had it, and compared at every start. The hash's key is derived for this alone, so that a row gives
-- away nothing of it.
create table key_checks (
    name text constraint key_checks_pk primary key constraint key_checks_name check (name = 'service-secret' or name like 'master/_%'),
    value bytea not null constraint key_checks_value check (octet_length(value) = 32),
    made_at timestamptz not null default clock_timestamp()
);

grant select, insert on key_checks to diary_api, diary_worker, diary_admin;

-- A data key that this master wraps: a master without a check value must open it before one is recorded. Each of these roles may read any
-- data key already in the transaction of its owner, but for the administrator, who may read them to wrap them anew.
create function wrapped_key_under(master text) returns table (tenant uuid, member uuid, key uuid, wrapped bytea)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select k.tenant_id, k.user_id, k.key_id, k.wrapped from public.user_keys k where k.master_id = master limit 1 $$;

-- For the rotation of the master key (decision 0005) an administrator sees how many keys a master wraps, and the wrapped bytes of those
-- that another one wraps than the current: nothing else of the table, and changes nothing else in it.
create function count_keys() returns table (master text, keys bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select k.master_id, count(*) from public.user_keys k group by k.master_id $$;

create function keys_to_rewrap(current_master text, after_tenant uuid, after_user uuid, most int)
    returns table (tenant uuid, member uuid, key uuid, master text, wrapped bytea)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select k.tenant_id, k.user_id, k.key_id, k.master_id, k.wrapped from public.user_keys k
        where k.master_id <> current_master
            and (k.tenant_id, k.user_id) > (coalesce(after_tenant, '00000000-0000-0000-0000-000000000000'),
                coalesce(after_user, '00000000-0000-0000-0000-000000000000'))
        order by k.tenant_id, k.user_id limit most
    $$;

-- Compare and set: a key that was destroyed or wrapped anew meanwhile stays as it is.
create function rewrap_key(
    tenant uuid, member uuid, key uuid, old_master text, old_wrapped bytea, new_master text, new_wrapped bytea) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    n bigint;
begin
    update public.user_keys k set master_id = new_master, wrapped = new_wrapped
        where k.tenant_id = tenant and k.user_id = member and k.key_id = key and k.master_id = old_master and k.wrapped = old_wrapped;
    get diagnostics n = row_count;
    return n;
end $$;

-- A key that a restore brought back and whose account is erased. The caller has looked for the account, which is in the other database.
create function admin_destroy_key(tenant uuid, member uuid) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    delete from public.user_keys k where k.tenant_id = tenant and k.user_id = member;
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function wrapped_key_under to diary_api, diary_worker, diary_admin;
grant execute on function count_keys, keys_to_rewrap, rewrap_key, admin_destroy_key to diary_admin;
