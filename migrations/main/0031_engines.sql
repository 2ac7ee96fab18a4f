-- Engines of an app: ordered chains for speech and for text, the secrets they are asked with, and what an account has chosen.

create table app_engines (
    tenant_id uuid not null constraint app_engines_tenant_fk references tenants (id) on delete cascade,
    stage text not null constraint app_engines_stage check (stage in ('speech', 'text')),
    -- Stored with what the engine made; no slash, which separates the model there.
    name text not null constraint app_engines_name check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    -- From 1, without gaps: the order in which engines are asked.
    position int not null constraint app_engines_position check (position >= 0),
    -- Kinds and ways after a failure that a version does not have it leaves out.
    kind text not null,
    url text constraint app_engines_url check (octet_length(url) between 1 and 2000),
    model text constraint app_engines_model check (char_length(model) between 1 and 200),
    -- A name of app_secrets. No foreign key: a secret may be taken away and set again while the engine stays.
    secret text,
    -- A program's absolute path and its arguments.
    command text[] not null default '{}',
    timeout_seconds int not null constraint app_engines_timeout check (timeout_seconds > 0),
    slots int not null constraint app_engines_slots check (slots > 0),
    -- In millionths of the operator's currency.
    price_per_minute bigint not null default 0 constraint app_engines_price_per_minute check (price_per_minute >= 0),
    price_per_million_input bigint not null default 0 constraint app_engines_price_per_million_input check (price_per_million_input >= 0),
    price_per_million_output bigint not null default 0 constraint app_engines_price_per_million_output check (price_per_million_output >= 0),
    after_failure text not null,
    constraint app_engines_pk primary key (tenant_id, stage, name)
);

-- Sealed under a master of the ring, bound to app and name. Workers open them; the administrator writes them and cannot read them.
create table app_secrets (
    tenant_id uuid not null constraint app_secrets_tenant_fk references tenants (id) on delete cascade,
    name text not null constraint app_secrets_name check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    master_id text not null,
    sealed bytea not null constraint app_secrets_sealed check (octet_length(sealed) <= 16384),
    set_at timestamptz not null default clock_timestamp(),
    constraint app_secrets_pk primary key (tenant_id, name)
);

alter table app_engines enable row level security, force row level security;
alter table app_secrets enable row level security, force row level security;

create policy app_engines_owner on app_engines to diary_owner using (true) with check (true);
create policy app_secrets_owner on app_secrets to diary_owner using (true) with check (true);
create policy app_engines_api on app_engines to diary_api
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy app_engines_worker on app_engines to diary_worker
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy app_secrets_worker on app_secrets to diary_worker
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy app_engines_admin on app_engines to diary_admin
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy app_secrets_admin on app_secrets to diary_admin
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

-- What `GET /v1/config` lists: no address, no model, no name of a secret.
grant select (tenant_id, stage, name, position, kind) on app_engines to diary_api;
grant select on app_engines, app_secrets to diary_worker;
grant select, insert, update, delete on app_engines to diary_admin;
grant select (tenant_id, name, master_id, set_at), insert, update, delete on app_secrets to diary_admin;

-- Opens the transaction of an app by its slug; of none when there is no such app. Engines and secrets are changed under the app's lock.
create function set_app(app text) returns uuid
    language plpgsql
    as $$
declare
    found_id uuid;
begin
    select t.id into found_id from public.tenants t where t.slug = app for no key update;
    perform set_config('app.tenant_id', coalesce(found_id::text, ''), true), set_config('app.user_id', '', true);
    return found_id;
end $$;

grant execute on function set_app(text) to diary_admin;

-- Rotation of the master key: how many secrets each master seals, the sealed bytes of those that another one seals than the current, and compare and
-- set.
create function admin_count_secrets() returns table (master text, secrets bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select s.master_id, count(*) from public.app_secrets s group by s.master_id $$;

create function admin_secrets_to_rewrap(current_master text, after_tenant uuid, after_name text, most int)
    returns table (tenant uuid, name text, master text, sealed bytea, set_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.tenant_id, s.name, s.master_id, s.sealed, s.set_at from public.app_secrets s
        where s.master_id <> current_master
            and (s.tenant_id, s.name) > (coalesce(after_tenant, '00000000-0000-0000-0000-000000000000'), coalesce(after_name, ''))
        order by s.tenant_id, s.name limit most
    $$;

create function admin_rewrap_secret(tenant uuid, secret text, old_master text, old_sealed bytea, new_master text, new_sealed bytea) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    update public.app_secrets s set master_id = new_master, sealed = new_sealed
        where s.tenant_id = tenant and s.name = secret and s.master_id = old_master and s.sealed = old_sealed;
    return found;
end $$;

grant execute on function admin_count_secrets(), admin_secrets_to_rewrap(text, uuid, text, int),
    admin_rewrap_secret(uuid, text, text, bytea, text, bytea) to diary_admin;

alter table users
    -- Names of engines of the app's chains, asked before the others; a name that the chain has not (any more) counts as none.
    add column speech_engine text constraint users_speech_engine check (speech_engine ~ '^[a-z][a-z0-9-]{0,39}$'),
    add column text_engine text constraint users_text_engine check (text_engine ~ '^[a-z][a-z0-9-]{0,39}$');

grant update (speech_engine, text_engine) on users to diary_api;
