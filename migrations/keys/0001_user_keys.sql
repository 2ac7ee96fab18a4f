-- The key store (decision D15): a database of its own, in production a server of its own with short backup retention, so that restoring
-- diaries and objects from before an erasure brings no key back. Keys lie here wrapped by the master key ring, which no database holds.

revoke all on schema public from public;
grant usage on schema public to diary_api, diary_auth, diary_worker, diary_backup;
alter default privileges in schema public grant select on tables to diary_backup;
-- A function is nobody's until it is granted (a per-schema default cannot take back the global one).
alter default privileges revoke execute on functions from public;

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

grant execute on function current_tenant(), current_member(), set_owner(uuid, uuid) to diary_owner, diary_api, diary_auth, diary_worker;

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
create policy user_keys_api on user_keys to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_keys_auth on user_keys to diary_auth
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_keys_worker on user_keys to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select on user_keys to diary_api, diary_worker;
grant select, insert, delete on user_keys to diary_auth;
