-- Whether the keys of the settings are the ones that this database belongs to: a keyed hash of each master key's name and of the service secret's, made
-- when a process first had it, and compared at every start. The hash's key is derived for this alone, so that a row gives away nothing of it.

create table key_checks (
    name text constraint key_checks_pk primary key constraint key_checks_name check (name = 'service-secret' or name like 'master/_%'),
    value bytea not null constraint key_checks_value check (octet_length(value) = 32),
    made_at timestamptz not null default clock_timestamp()
);

grant select, insert on key_checks to diary_api, diary_worker, diary_admin;

-- A data key that this master wraps: a master without a check value must open it before one is recorded. Each of these roles may read any data key
-- already in the transaction of its owner, but for the administrator, who may read them to wrap them anew.
create function wrapped_key_under(master text) returns table (tenant uuid, member uuid, key uuid, wrapped bytea)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select k.tenant_id, k.user_id, k.key_id, k.wrapped from public.user_keys k where k.master_id = master limit 1 $$;

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

grant execute on function wrapped_key_under(text) to diary_api, diary_worker, diary_admin;
grant execute on function admin_destroy_key(uuid, uuid) to diary_admin;
