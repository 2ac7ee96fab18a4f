-- Tenants, people, their ways in and their sessions.
-- Addresses and subjects are keyed hashes for look-up and sealed values for use (decision D15).

create table tenants (
    id uuid constraint tenants_pk primary key,
    slug text not null constraint tenants_slug_key unique
        constraint tenants_slug_form check (slug ~ '^[a-z][a-z0-9-]{1,38}[a-z0-9]$'),
    name text not null constraint tenants_name_length check (char_length(name) between 1 and 100),
    mail_from_name text not null,
    mail_from_address text not null,
    created_at timestamptz not null default clock_timestamp(),
    suspended_at timestamptz
);

create table users (
    tenant_id uuid not null constraint users_tenant_fk references tenants (id),
    id uuid not null,
    email_sealed bytea not null,
    name_sealed bytea,
    time_zone text not null default 'UTC',
    locale text,
    created_at timestamptz not null default clock_timestamp(),
    deleted_at timestamptz,
    constraint users_pk primary key (tenant_id, id)
);

-- One narrow row a user: the change number (decision D9), and the data key that is live. Every transaction that touches
-- the user's rows bumps it first; its row lock is the first lock taken everywhere.
create table user_sync (
    tenant_id uuid not null,
    user_id uuid not null,
    change_number bigint not null default 0,
    -- Tombstones up to here are gone; an older sync position must start again (410).
    purged_through bigint not null default 0,
    key_id uuid not null,
    constraint user_sync_pk primary key (tenant_id, user_id),
    constraint user_sync_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
) with (fillfactor = 50);

create table identities (
    tenant_id uuid not null,
    user_id uuid not null,
    -- 'email', or the pinned issuer of a provider.
    issuer text not null constraint identities_issuer check (issuer in ('email', 'apple', 'google')),
    subject_hash bytea not null,
    password_phc text,
    verified_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    constraint identities_pk primary key (tenant_id, issuer, subject_hash),
    constraint identities_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index identities_by_user on identities (tenant_id, user_id);

-- Mailed codes: hashed, single use, a few tries. Several may live at once, each with the password of its own sign-up, so that a stranger
-- who signs up with somebody's address later cannot plant a password under the code that person holds.
create table email_codes (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    purpose text not null constraint email_codes_purpose check (purpose in ('verify')),
    code_hash bytea not null,
    -- Which sign-up it belongs to: a keyed hash of the secret that only that sign-up was given.
    registration_hash bytea not null,
    -- That sign-up's password; it becomes the account's when this very code comes back. Until then the account has none.
    password_phc text not null,
    tries int not null default 0,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    constraint email_codes_pk primary key (tenant_id, user_id, id),
    constraint email_codes_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create table sessions (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    device_sealed bytea,
    created_at timestamptz not null default clock_timestamp(),
    last_used_at timestamptz not null default clock_timestamp(),
    -- Absolute life, 90 days; idle life, 30 days (decision D8).
    expires_at timestamptz not null,
    idle_expires_at timestamptz not null,
    revoked_at timestamptz,
    -- Refresh tokens: only the newest's hash and number; a successor is derived, so that a lost answer can be given again.
    refresh_number int not null,
    refresh_hash bytea not null,
    previous_hash bytea,
    rotated_at timestamptz not null default clock_timestamp(),
    constraint sessions_pk primary key (tenant_id, user_id, id),
    constraint sessions_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

alter table users enable row level security, force row level security;
alter table user_sync enable row level security, force row level security;
alter table identities enable row level security, force row level security;
alter table email_codes enable row level security, force row level security;
alter table sessions enable row level security, force row level security;

-- The owner runs migrations; back-fills pass by these policies, not by luck.
create policy users_owner on users to diary_owner using (true) with check (true);
create policy user_sync_owner on user_sync to diary_owner using (true) with check (true);
create policy identities_owner on identities to diary_owner using (true) with check (true);
create policy email_codes_owner on email_codes to diary_owner using (true) with check (true);
create policy sessions_owner on sessions to diary_owner using (true) with check (true);

-- A member sees their own rows.
create policy users_api on users to diary_api
    using (tenant_id = current_tenant() and id = current_member())
    with check (tenant_id = current_tenant() and id = current_member());
create policy user_sync_api on user_sync to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy identities_api on identities to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy sessions_api on sessions to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- Sign-in looks people up before it knows who they are: the tenant must match, and no table with a diary's words is granted.
create policy users_auth on users to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy user_sync_auth on user_sync to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy identities_auth on identities to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy email_codes_auth on email_codes to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy sessions_auth on sessions to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());

-- A worker sets whose job it runs, then sees that person's rows.
create policy users_worker on users to diary_worker
    using (tenant_id = current_tenant() and id = current_member())
    with check (tenant_id = current_tenant() and id = current_member());
create policy identities_worker on identities to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_sync_worker on user_sync to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- Tenants hold no person's data: the service reads them, administrators write them.
grant select on tenants to diary_api, diary_auth, diary_worker;
grant select, insert, update on tenants to diary_admin;

grant select, update (time_zone, locale, name_sealed) on users to diary_api;
grant select, update on user_sync to diary_api;
grant select on identities to diary_api;
grant select, update (revoked_at) on sessions to diary_api;

grant select, insert on users, user_sync to diary_auth;
grant select, insert, update on identities, email_codes, sessions to diary_auth;

grant select on users to diary_worker;
grant select (tenant_id, user_id, issuer, verified_at) on identities to diary_worker;
grant select, update on user_sync to diary_worker;

-- Opens a member's transaction and stops it at once when the session has ended, so that logout needs no cache to expire (decision D6).
create function begin_member(tenant uuid, member uuid, session uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', member::text, true);
    perform from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
        where s.tenant_id = tenant and s.user_id = member and s.id = session
            and s.revoked_at is null and s.expires_at > now() and u.deleted_at is null;
    if not found then
        raise exception 'the session has ended' using errcode = 'DI401';
    end if;
end $$;

grant execute on function begin_member(uuid, uuid, uuid) to diary_api;

-- Takes the user's lock and the next change number; stops when the data key that sealed the caller's words is no longer the live one.
create function bump_change(tenant uuid, member uuid, live_key uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and key_id = live_key
        returning change_number into taken;
    if taken is null then
        raise exception 'the key is not live' using errcode = 'DI409';
    end if;
    return taken;
end $$;

grant execute on function bump_change(uuid, uuid, uuid) to diary_api, diary_worker;

-- The same for those who seal nothing, whatever key is live; stops when there is no such user.
create function touch_owner(tenant uuid, member uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member
        returning change_number into taken;
    if taken is null then
        raise exception 'there is no such user' using errcode = 'DI404';
    end if;
    return taken;
end $$;

grant execute on function touch_owner(uuid, uuid) to diary_worker;
