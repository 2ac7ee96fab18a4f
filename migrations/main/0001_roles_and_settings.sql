-- Who may do what is decided here, before there is a table.
-- The roles themselves belong to the cluster: migrations/roles.sql makes them.

revoke all on schema public from public;
grant usage on schema public to diary_api, diary_auth, diary_worker, diary_admin, diary_backup;

-- Tables made later by the owner: the backup role reads them all.
alter default privileges in schema public grant select on tables to diary_backup;
-- A function is nobody's until it is granted (a per-schema default cannot take back the global one).
alter default privileges revoke execute on functions from public;

-- Row-level security compares with these two settings. A setting that was once set and then reset is '' rather than null,
-- hence nullif (PostgREST#1642); unset means no row, never an error.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function current_member() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user_id', true), '')::uuid;

grant execute on function current_tenant(), current_member() to diary_owner, diary_api, diary_auth, diary_worker, diary_admin;

-- Opens a transaction of somebody's: local settings end with it and leak to nobody (decision D6).
create function set_owner(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', coalesce(member::text, ''), true);
end $$;

grant execute on function set_owner(uuid, uuid) to diary_owner, diary_api, diary_auth, diary_worker, diary_admin;
