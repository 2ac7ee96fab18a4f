-- Sign-in with Apple and Google: whose tokens an app takes, challenges, identities besides the mail address, and what Apple must be told later.

-- The client ids that may stand in a token's `aud`, by app; none means that this way in is closed.
alter table tenants
    add column apple_client_ids text[] not null default '{}' constraint tenants_apple_client_ids
        check (cardinality(apple_client_ids) <= 20 and array_position(apple_client_ids, null) is null and '' <> all (apple_client_ids)),
    add column google_client_ids text[] not null default '{}' constraint tenants_google_client_ids
        check (cardinality(google_client_ids) <= 20 and array_position(google_client_ids, null) is null and '' <> all (google_client_ids));

-- Who comes by Apple or Google may have no address here.
alter table users alter column email_sealed drop not null;

alter table identities
    add column id uuid not null default gen_random_uuid(),
    -- The subject itself: it must be hashed anew should the service's secret ever change. Null for 'email'.
    add column subject_sealed bytea,
    -- What the provider last said; null for 'email', whose address is the account's.
    add column address_sealed bytea,
    -- This provider runs the mailbox of the account's address, so the address is proved. For 'email', verified_at says so.
    add column proves_address boolean not null default false,
    -- Apple's relay forwards no mail at the moment; mail_noted_at is the time of the notice, so that an older one changes nothing.
    add column mail_stopped boolean not null default false,
    add column mail_noted_at timestamptz,
    add constraint identities_id_key unique (tenant_id, user_id, id),
    add constraint identities_proof check (not proves_address or issuer <> 'email');

-- Single-use nonces, hashed: whoever deletes the row has used it.
create table sign_in_challenges (
    tenant_id uuid not null constraint sign_in_challenges_tenant_fk references tenants (id) on delete cascade,
    nonce_hash bytea not null,
    expires_at timestamptz not null,
    constraint sign_in_challenges_pk primary key (tenant_id, nonce_hash)
);

create index sign_in_challenges_by_end on sign_in_challenges (expires_at);

-- Notices of a provider that were heeded, until they end by themselves: the same one twice is one.
create table provider_notices (
    tenant_id uuid not null constraint provider_notices_tenant_fk references tenants (id) on delete cascade,
    notice_hash bytea not null,
    expires_at timestamptz not null,
    constraint provider_notices_pk primary key (tenant_id, notice_hash)
);

create index provider_notices_by_end on provider_notices (expires_at);

-- What Apple gave this app for somebody: a code that waits to be exchanged, then the refresh token, kept only to be revoked. Sealed under a
-- service key and without a foreign key: the row outlives the account until Apple has been told.
create table apple_grants (
    tenant_id uuid not null,
    user_id uuid not null,
    identity_id uuid not null,
    client_id text not null,
    -- Whose the code must be.
    subject_hash bytea not null,
    code_sealed bytea,
    code_at timestamptz,
    token_sealed bytea,
    revoke_requested_at timestamptz,
    next_attempt_at timestamptz not null default clock_timestamp(),
    attempts int not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    constraint apple_grants_pk primary key (tenant_id, user_id, identity_id, client_id),
    constraint apple_grants_something check (num_nonnulls(code_sealed, token_sealed) >= 1),
    constraint apple_grants_code_time check ((code_sealed is null) = (code_at is null))
);

create index apple_grants_due on apple_grants (next_attempt_at) where code_sealed is not null or revoke_requested_at is not null;

alter table sign_in_challenges enable row level security, force row level security;
alter table provider_notices enable row level security, force row level security;
alter table apple_grants enable row level security, force row level security;

create policy sign_in_challenges_owner on sign_in_challenges to diary_owner using (true) with check (true);
create policy provider_notices_owner on provider_notices to diary_owner using (true) with check (true);
create policy apple_grants_owner on apple_grants to diary_owner using (true) with check (true);
create policy sign_in_challenges_auth on sign_in_challenges to diary_auth
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy provider_notices_auth on provider_notices to diary_auth
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy apple_grants_auth on apple_grants to diary_auth
    using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy apple_grants_api on apple_grants to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy apple_grants_worker on apple_grants to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, delete on sign_in_challenges to diary_auth;
grant insert on provider_notices to diary_auth;
grant select, insert, update, delete on apple_grants to diary_auth;
grant select (tenant_id, user_id, identity_id, revoke_requested_at), update (revoke_requested_at, next_attempt_at, attempts)
    on apple_grants to diary_api;
grant select, update, delete on apple_grants to diary_worker;

-- Linking runs as sign-in does, which alone sees whether an identity is somebody else's; unlinking as the member.
grant execute on function begin_member(uuid, uuid, uuid) to diary_auth;
grant update (email_sealed) on users to diary_api, diary_auth;
grant delete on identities to diary_api, diary_auth;
grant select (proves_address, mail_stopped) on identities to diary_worker;
-- The user's lock, taken first (decision D9).
grant update (change_number) on user_sync to diary_auth;

-- Whether mail may be sent to the account's address (decision D11): proved by a mailed code, or by a provider that runs the mailbox.
create function address_is_proved(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from identities i where i.tenant_id = tenant and i.user_id = member and i.verified_at is not null
            and (i.issuer = 'email' or (i.proves_address and not i.mail_stopped)))
    $$;

grant execute on function address_is_proved(uuid, uuid) to diary_api, diary_auth, diary_worker;

-- Whether a way into the account works at all. Whatever closes accounts (a deletion, an administrator) is asked here.
create function may_sign_in(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null)
    $$;

grant execute on function may_sign_in(uuid, uuid) to diary_auth;

-- A provider proved the old address, not the new one. Whoever changes the address says afterwards who proves it.
create function forget_address_proofs() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    update public.identities set proves_address = false where tenant_id = new.tenant_id and user_id = new.id and proves_address;
    return null;
end $$;

create trigger users_address_changed after update of email_sealed on users
    for each row when (old.email_sealed is distinct from new.email_sealed) execute function forget_address_proofs();

-- Uses a challenge up, or stops the transaction: of many who come with the same one, one passes.
create function take_challenge(tenant uuid, hash bytea) returns void
    language plpgsql
    as $$
begin
    delete from sign_in_challenges where tenant_id = tenant and nonce_hash = hash and expires_at > clock_timestamp();
    if not found then
        raise exception 'no such challenge' using errcode = 'DI420';
    end if;
end $$;

-- An identity joins an account by its address: stops the transaction when the address is not that account's, or not proved. The lock keeps it
-- so until the end.
create function require_address(tenant uuid, member uuid, hash bytea) returns void
    language plpgsql
    as $$
begin
    perform from identities where tenant_id = tenant and user_id = member and issuer = 'email' and subject_hash = hash
        and verified_at is not null for update;
    if not found then
        raise exception 'the address is not this account''s' using errcode = 'DI421';
    end if;
end $$;

grant execute on function take_challenge(uuid, bytea), require_address(uuid, uuid, bytea) to diary_auth;

-- Apple is to be told that it is over: for one identity, or for all of the account's. The worker does it, for up to 7 days.
create function request_apple_revocation(tenant uuid, member uuid, identity uuid default null) returns void
    language sql
    as $$
        update apple_grants set revoke_requested_at = clock_timestamp(), next_attempt_at = clock_timestamp(), attempts = 0
        where tenant_id = tenant and user_id = member and (identity is null or identity_id = identity) and revoke_requested_at is null
    $$;

grant execute on function request_apple_revocation(uuid, uuid, uuid) to diary_api, diary_auth, diary_worker;

-- Grants with something to do, each for one worker: whoever claims one has a minute, then it is anybody's again.
create function claim_apple_grants(most int)
    returns table (tenant_id uuid, user_id uuid, identity_id uuid, client_id text, subject_hash bytea, code_sealed bytea, code_at timestamptz,
        token_sealed bytea, revoke_requested_at timestamptz, attempts int)
    language sql security definer set search_path = pg_catalog, public
    as $$
        update public.apple_grants g set attempts = g.attempts + 1, next_attempt_at = clock_timestamp() + interval '1 minute'
        from (select d.tenant_id, d.user_id, d.identity_id, d.client_id from public.apple_grants d
              where (d.code_sealed is not null or d.revoke_requested_at is not null) and d.next_attempt_at <= clock_timestamp()
              order by d.next_attempt_at limit most for update skip locked) due
        where g.tenant_id = due.tenant_id and g.user_id = due.user_id and g.identity_id = due.identity_id and g.client_id = due.client_id
        returning g.tenant_id, g.user_id, g.identity_id, g.client_id, g.subject_hash, g.code_sealed, g.code_at, g.token_sealed,
            g.revoke_requested_at, g.attempts
    $$;

-- Challenges and notices past their time, codes that Apple takes no longer, and revocations that failed for 7 days.
create function sweep_sign_in() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint := 0;
    n bigint;
begin
    delete from public.sign_in_challenges where expires_at < clock_timestamp();
    get diagnostics n = row_count; gone := gone + n;
    delete from public.provider_notices where expires_at < clock_timestamp();
    get diagnostics n = row_count; gone := gone + n;
    delete from public.apple_grants where revoke_requested_at < clock_timestamp() - interval '7 days'
        or (token_sealed is null and code_at < clock_timestamp() - interval '10 minutes');
    get diagnostics n = row_count; gone := gone + n;
    update public.apple_grants set code_sealed = null, code_at = null where code_at < clock_timestamp() - interval '10 minutes';
    return gone;
end $$;

grant execute on function claim_apple_grants(int), sweep_sign_in() to diary_worker;
