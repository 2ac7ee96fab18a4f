-- How members sign in: identities, mailed codes, sessions, and sign-in with Apple and Google.

-- How a member can sign in: by the mail address with a password or mailed codes, or by a provider.
create table identities (
    tenant_id uuid not null,
    user_id uuid not null,
    -- 'email', or the pinned issuer of a provider.
    issuer text not null constraint identities_issuer check (issuer in ('email', 'apple', 'google')),
    subject_hash bytea not null,
    password_phc text,
    verified_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    id uuid not null default gen_random_uuid(),
    -- The subject itself: it must be hashed anew should the service's secret ever change. Null for 'email'.
    subject_sealed bytea,
    -- What the provider last said; null for 'email', whose address is the account's.
    address_sealed bytea,
    -- This provider runs the mailbox of the account's address, so the address is proved. For 'email', verified_at says so.
    proves_address boolean not null default false,
    -- Apple's relay forwards no mail at the moment; mail_noted_at is the time of the notice, so that an older one changes nothing.
    mail_stopped boolean not null default false,
    mail_noted_at timestamptz,
    constraint identities_pk primary key (tenant_id, issuer, subject_hash),
    constraint identities_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint identities_id_key unique (tenant_id, user_id, id),
    constraint identities_proof check (not proves_address or issuer <> 'email')
);

create index identities_by_user on identities (tenant_id, user_id);

alter table identities enable row level security, force row level security;
create policy identities_owner on identities to diary_owner using (true) with check (true);
create policy identities_api on identities to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy identities_auth on identities to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy identities_worker on identities to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, delete on identities to diary_api;
grant select, insert, update, delete on identities to diary_auth;
grant select (tenant_id, user_id, issuer, verified_at, proves_address, mail_stopped) on identities to diary_worker;

-- Whether mail may be sent to the account's address (decision D11): proved by a mailed code, or by a provider that runs the mailbox.
create function address_is_proved(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from identities i where i.tenant_id = tenant and i.user_id = member and i.verified_at is not null
            and (i.issuer = 'email' or (i.proves_address and not i.mail_stopped)))
    $$;

-- Whether the account may be entered at all: it is there, is not disabled and not being erased.
create function may_sign_in(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.disabled_at is null)
    $$;

-- A provider proved the old address, not the new one. The statement that changes the address says afterwards who proves it.
create function forget_address_proofs() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    update public.identities set proves_address = false where tenant_id = new.tenant_id and user_id = new.id and proves_address;
    return null;
end $$;

create trigger users_address_changed after update of email_sealed on users
    for each row when (old.email_sealed is distinct from new.email_sealed) execute function forget_address_proofs();

-- Mailed codes: hashed, single use, a few tries. Several may live at once, each with the password of its own sign-up, so that a
-- later sign-up with the same address cannot plant a password under the code that its owner holds.
create table email_codes (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    purpose text not null,
    code_hash bytea not null,
    -- Which sign-up it belongs to: a keyed hash of the secret that only that sign-up was given.
    registration_hash bytea not null,
    -- That sign-up's password; it becomes the account's when this very code comes back. Until then the account has none.
    password_phc text,
    tries int not null default 0,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    -- The address that the code is to prove, when it is a new one.
    new_subject_hash bytea,
    new_address_sealed bytea,
    -- A keyed hash of where it was asked for, so that one asker cannot use up the tries of all.
    asker_hash bytea,
    -- Drawn by the call that used the code up: the later statements of its transaction ask for it.
    redemption uuid,
    -- What a sign-up says of its account waits beside its code, as its password does: of several with one address the one that is proved
    -- counts.
    name_sealed bytea,
    time_zone text,
    locale text,
    constraint email_codes_pk primary key (tenant_id, user_id, id),
    constraint email_codes_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint email_codes_purpose check (purpose in ('verify', 'login', 'reset', 'address', 'reauthenticate')),
    constraint email_codes_password check ((password_phc is not null) = (purpose = 'verify')),
    constraint email_codes_address check ((new_subject_hash is not null and new_address_sealed is not null) = (purpose = 'address'))
);

create index email_codes_by_end on email_codes (expires_at);

alter table email_codes enable row level security, force row level security;
create policy email_codes_owner on email_codes to diary_owner using (true) with check (true);
create policy email_codes_auth on email_codes to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
grant select, insert, update on email_codes to diary_auth;

create function sweep_email_codes(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('email_codes', $$expires_at < statement_timestamp() - interval '1 day'$$, most);

-- A signed-in device of a member.
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
    -- Country or network, as far as the request told; sealed, as it says where the member was.
    place_sealed bytea,
    -- When this session last proved who it is: at sign-in, and whenever a password or a mailed code was given again. Dangerous acts ask for
    -- a fresh one.
    proved_at timestamptz not null default clock_timestamp(),
    -- How often the parent of the newest token came again within its grace, and when that was counted last (decision 0020).
    grace_uses int not null default 0,
    grace_used_at timestamptz,
    constraint sessions_pk primary key (tenant_id, user_id, id),
    constraint sessions_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index sessions_by_end on sessions (expires_at);
create index sessions_open on sessions (tenant_id, user_id) where revoked_at is null;

alter table sessions enable row level security, force row level security;
create policy sessions_owner on sessions to diary_owner using (true) with check (true);
create policy sessions_api on sessions to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy sessions_auth on sessions to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
grant select, update (revoked_at) on sessions to diary_api;
grant select, insert, update on sessions to diary_auth;

create function sweep_sessions(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('sessions', $$expires_at < statement_timestamp() - interval '30 days'$$, most);

-- Opens a member's transaction and stops it at once when the session has ended (decision D6), the account is disabled or the app is
-- suspended.
create function begin_member(tenant uuid, member uuid, session uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', member::text, true);
    perform from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id join tenants t on t.id = s.tenant_id
        where s.tenant_id = tenant and s.user_id = member and s.id = session
            and s.revoked_at is null and s.expires_at > now() and u.deleted_at is null and u.disabled_at is null and t.suspended_at is null;
    if not found then
        -- Not an end: the session works again when the app does.
        if exists (select from tenants t where t.id = tenant and t.suspended_at is not null) then
            raise exception 'the app is suspended' using errcode = 'DI403';
        end if;
        raise exception 'the session has ended' using errcode = 'DI401';
    end if;
end $$;

-- API tokens of an account: of its devices and scripts. A token without a row has ended. What it may do and whose it is stands in the token
-- itself, which the hash covers.
create table api_tokens (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    name_sealed bytea not null,
    token_hash bytea not null constraint api_tokens_hash check (octet_length(token_hash) = 32),
    -- For lists; `APITokenScope` in the program has the names.
    scopes text[] not null constraint api_tokens_scopes check (cardinality(scopes) between 1 and 10),
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    -- Up to five minutes older than the last use.
    last_used_at timestamptz,
    constraint api_tokens_pk primary key (tenant_id, user_id, id),
    constraint api_tokens_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index api_tokens_by_end on api_tokens (expires_at);

alter table api_tokens enable row level security, force row level security;
create policy api_tokens_owner on api_tokens to diary_owner using (true) with check (true);
create policy api_tokens_api on api_tokens to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy api_tokens_auth on api_tokens to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
grant select, insert, update (last_used_at), delete on api_tokens to diary_api;
-- A new password may end them.
grant select (tenant_id, user_id), delete on api_tokens to diary_auth;

-- Those that have ended stay in their owner's list for a month.
create function sweep_api_tokens(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('api_tokens', $$expires_at < statement_timestamp() - interval '30 days'$$, most);

-- `begin_member` for a request with an API token. Not granted to sign-in: no token reaches its statements.
create function begin_token(tenant uuid, member uuid, token uuid, hash bytea) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', member::text, true);
    perform from api_tokens k join users u on u.tenant_id = k.tenant_id and u.id = k.user_id join tenants t on t.id = k.tenant_id
        where k.tenant_id = tenant and k.user_id = member and k.id = token and k.token_hash = hash
            and k.expires_at > now() and u.deleted_at is null and u.disabled_at is null and t.suspended_at is null;
    if not found then
        -- Not an end: the token works again when the app does.
        if exists (select from tenants t where t.id = tenant and t.suspended_at is not null) then
            raise exception 'the app is suspended' using errcode = 'DI403';
        end if;
        raise exception 'the token has ended' using errcode = 'DI401';
    end if;
end $$;

-- No sign-in method opens a session of an account that is disabled or being erased, whichever statement tries.
create function refuse_closed_account() returns trigger
    language plpgsql
    as $$
begin
    if exists (select from users u where u.tenant_id = new.tenant_id and u.id = new.user_id
            and (u.disabled_at is not null or u.deleted_at is not null)) then
        raise exception 'the account is closed' using errcode = 'DI401';
    end if;
    return new;
end $$;

create trigger sessions_of_open_accounts before insert on sessions for each row execute function refuse_closed_account();

-- Of an account's open sessions the hundred used last stay, whatever its apps do: one that signs in every minute for a year must not make
-- statements about its sessions, or its erasure, run into their time limit. More than 500 at a time do not end, so that a sign-in is never
-- long. They are chosen first and locked then: an offset locks what it skips too. One that another transaction holds is left to the next
-- time.
create function end_oldest_sessions() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    ended uuid;
begin
    for ended in
        update public.sessions s set revoked_at = clock_timestamp()
        where s.tenant_id = new.tenant_id and s.user_id = new.user_id and s.id = any (array(
            select x.id from public.sessions x
            where x.tenant_id = new.tenant_id and x.user_id = new.user_id and x.revoked_at is null and x.id = any (array(
                select o.id from public.sessions o
                where o.tenant_id = new.tenant_id and o.user_id = new.user_id and o.revoked_at is null and o.id <> new.id
                order by o.last_used_at desc, o.id offset 99 limit 500))
            for update skip locked))
        returning case when least(s.expires_at, s.idle_expires_at) > clock_timestamp() then s.id end
    loop
        if ended is not null then
            perform public.record_event(new.tenant_id, new.user_id, 'session_revoked', 'service', ended, null);
        end if;
    end loop;
    return null;
end $$;

create trigger sessions_bounded after insert on sessions for each row when (new.revoked_at is null) execute function end_oldest_sessions();

-- Whether this session has proved of late who it is. For acts that a stolen token alone must not do.
create function session_is_fresh(tenant uuid, member uuid, session uuid) returns boolean
    language sql stable
    as $$
        select exists (select from sessions where tenant_id = tenant and user_id = member and id = session
            and proved_at > clock_timestamp() - interval '10 minutes')
    $$;

-- Stops the transaction unless the session has proved of late who it is. A sign-in method is added or taken away only then: a stolen access
-- token must not leave one behind.
create function require_fresh_proof(tenant uuid, member uuid, session uuid) returns void
    language plpgsql stable
    as $$
begin
    if not session_is_fresh(tenant, member, session) then
        raise exception 'the session must prove again who it is' using errcode = 'DI405';
    end if;
end $$;

-- Trades a refresh token, under the session's lock, and says what came of it (decision 0020): rotated, repeated (the parent came again
-- within its grace), too_often, reused (the parent came after its grace: the session has ended), older (a number before the parent's:
-- `newest` is what it must lead to, the caller computes), refused.
create function rotate_session(
    tenant uuid, member uuid, given uuid, number int, presented bytea, successor bytea, grace interval, burst interval, most int,
    idle interval, request text)
    returns table (outcome text, newest int, newest_hash bytea)
    language plpgsql
    as $$
declare
    s record;
begin
    -- Not an end: the token is good again when the app is.
    if exists (select from tenants t where t.id = tenant and t.suspended_at is not null) then
        raise exception 'the app is suspended' using errcode = 'DI403';
    end if;
    select x.* into s from sessions x join users u on u.tenant_id = x.tenant_id and u.id = x.user_id
        where x.tenant_id = tenant and x.user_id = member and x.id = given and x.revoked_at is null
            and least(x.expires_at, x.idle_expires_at) > clock_timestamp() and u.deleted_at is null and u.disabled_at is null
        for update of x;
    if not found then
        return query select 'refused', null::int, null::bytea;
        return;
    end if;
    if number = s.refresh_number and presented = s.refresh_hash then
        update sessions x
            set refresh_number = number + 1, refresh_hash = successor, previous_hash = presented, rotated_at = clock_timestamp(),
                last_used_at = clock_timestamp(), idle_expires_at = clock_timestamp() + idle, grace_uses = 0, grace_used_at = null
            where x.tenant_id = tenant and x.user_id = member and x.id = given;
        return query select 'rotated', null::int, null::bytea;
    elsif number + 1 = s.refresh_number and presented = s.previous_hash and successor = s.refresh_hash then
        if s.rotated_at <= clock_timestamp() - grace then
            update sessions x set revoked_at = clock_timestamp() where x.tenant_id = tenant and x.user_id = member and x.id = given;
            perform record_event(tenant, member, 'refresh_reused', 'anonymous', given, request);
            return query select 'reused', null::int, null::bytea;
        elsif s.grace_used_at > clock_timestamp() - burst then
            return query select 'repeated', null::int, null::bytea;
        elsif s.grace_uses < most then
            update sessions x set grace_uses = x.grace_uses + 1, grace_used_at = clock_timestamp()
                where x.tenant_id = tenant and x.user_id = member and x.id = given;
            perform record_event(tenant, member, 'refresh_repeated', 'anonymous', given, request);
            return query select 'repeated', null::int, null::bytea;
        else
            return query select 'too_often', null::int, null::bytea;
        end if;
    elsif number + 1 < s.refresh_number then
        return query select 'older', s.refresh_number, s.refresh_hash;
    else
        return query select 'refused', null::int, null::bytea;
    end if;
end $$;

-- Trades a refresh token, and tells the owner when that ended the session.
create function rotate_and_tell(
    tenant uuid, member uuid, given uuid, number int, presented bytea, successor bytea, grace interval, burst interval, most int,
    idle interval, request text)
    returns table (outcome text, newest int, newest_hash bytea)
    language plpgsql
    as $$
begin
    for outcome, newest, newest_hash in
        select r.outcome, r.newest, r.newest_hash
        from rotate_session(tenant, member, given, number, presented, successor, grace, burst, most, idle, request) r
    loop
        if outcome = 'reused' then
            perform queue_notice(tenant, member, 'session_reused');
        end if;
        return next;
    end loop;
end $$;

-- A link to a zip, a playback link, a mailed code and a mail that still waits belong to the account as it was when they were made. A change
-- of address or password, a reset and the end of all sessions end them, in the same transaction.
-- Exports that are not built yet go on: their link does not exist yet, and its mail goes to the address of that moment.
-- Locks: the account, as every change of password or address does first; then mails before exports, as a worker that ends a mail does.
create function end_links_and_codes(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    update public.users u set link_generation = u.link_generation + 1 where u.tenant_id = tenant and u.id = member;
    -- A sign-up's codes are no part of the account yet.
    update public.email_codes c set used_at = clock_timestamp()
        where c.tenant_id = tenant and c.user_id = member and c.used_at is null and c.purpose <> 'verify';
    -- The job finds its mail not waiting and ends. Notices to the old address are still sent.
    update public.mails m set status = 'failed', payload = '', address_sealed = null
        where m.tenant_id = tenant and m.user_id = member and m.status = 'waiting'
            and m.kind in ('export_ready', 'sign_in_code', 'reset_code', 'address_code', 'reauthentication_code');
    -- Those that are being built are locked too: one that became ready before this commit would be mailed to the old address.
    perform from public.exports x
        where x.tenant_id = tenant and x.user_id = member and x.revoked_at is null and x.status <> 'failed' order by x.id for update;
    update public.exports x
        set revoked_at = clock_timestamp(), revoked_reason = 'access_ended',
            mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
        where x.tenant_id = tenant and x.user_id = member and x.revoked_at is null and x.status = 'ready'
            and x.expires_at > clock_timestamp();
end $$;

-- For the account that the transaction was opened for; for one of its app where sign-in opened it for the app alone.
create function end_own_links_and_codes(tenant uuid, member uuid) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    if (tenant, member) is distinct from (public.current_tenant(), coalesce(public.current_member(), member)) then
        raise exception 'another account''s links' using errcode = 'DI404';
    end if;
    perform public.end_links_and_codes(tenant, member);
end $$;

-- However an account's address is changed or removed.
create function end_links_of_the_old_address() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    perform public.end_links_and_codes(new.tenant_id, new.id);
    return null;
end $$;

create trigger users_address_left after update of email_sealed on users
    for each row when (old.email_sealed is distinct from new.email_sealed) execute function end_links_of_the_old_address();

-- Retired token keys, also here: a key database that is restored brings their private keys back, and they must not sign or verify again.
create table retired_token_keys (
    kid text constraint retired_token_keys_pk primary key,
    retired_at timestamptz not null default clock_timestamp()
);

grant select on retired_token_keys to diary_api;
grant select, insert on retired_token_keys to diary_admin;

-- Single-use nonces, hashed: the transaction that deletes the row has used it.
create table sign_in_challenges (
    tenant_id uuid not null constraint sign_in_challenges_tenant_fk references tenants (id) on delete cascade,
    nonce_hash bytea not null,
    expires_at timestamptz not null,
    constraint sign_in_challenges_pk primary key (tenant_id, nonce_hash)
);

create index sign_in_challenges_by_end on sign_in_challenges (expires_at);

alter table sign_in_challenges enable row level security, force row level security;
create policy sign_in_challenges_owner on sign_in_challenges to diary_owner using (true) with check (true);
create policy sign_in_challenges_auth on sign_in_challenges to diary_auth using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
grant select, insert, delete on sign_in_challenges to diary_auth;

create function sweep_sign_in_challenges(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('sign_in_challenges', $$expires_at < statement_timestamp()$$, most);

-- Uses a challenge up, or stops the transaction: of many sign-ins with the same one, one passes.
create function take_challenge(tenant uuid, hash bytea) returns void
    language plpgsql
    as $$
begin
    delete from sign_in_challenges where tenant_id = tenant and nonce_hash = hash and expires_at > clock_timestamp();
    if not found then
        raise exception 'no such challenge' using errcode = 'DI420';
    end if;
end $$;

-- An identity joins an account by its address: stops the transaction when the address is not that account's, or not proved. The lock keeps
-- it so until the end.
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

-- Notices of a provider that were handled, until they end by themselves: the same one twice is one.
create table provider_notices (
    tenant_id uuid not null constraint provider_notices_tenant_fk references tenants (id) on delete cascade,
    notice_hash bytea not null,
    expires_at timestamptz not null,
    constraint provider_notices_pk primary key (tenant_id, notice_hash)
);

create index provider_notices_by_end on provider_notices (expires_at);

alter table provider_notices enable row level security, force row level security;
create policy provider_notices_owner on provider_notices to diary_owner using (true) with check (true);
create policy provider_notices_auth on provider_notices to diary_auth using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
grant insert on provider_notices to diary_auth;

create function sweep_provider_notices(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('provider_notices', $$expires_at < statement_timestamp()$$, most);

-- What Apple gave this app for an account: a code that waits to be exchanged, then the refresh token, kept only to be revoked. Sealed under
-- a service key and without a foreign key: the row outlives the account until Apple has been told.
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
create index apple_grants_with_code on apple_grants (code_at) where code_at is not null;
create index apple_grants_to_revoke on apple_grants (revoke_requested_at) where revoke_requested_at is not null;

alter table apple_grants enable row level security, force row level security;
create policy apple_grants_owner on apple_grants to diary_owner using (true) with check (true);
create policy apple_grants_auth on apple_grants to diary_auth using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
create policy apple_grants_api on apple_grants to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy apple_grants_worker on apple_grants to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select (tenant_id, user_id, identity_id, revoke_requested_at), update (revoke_requested_at, next_attempt_at, attempts) on apple_grants
    to diary_api;
grant select, insert, update, delete on apple_grants to diary_auth;
grant select, update, delete on apple_grants to diary_worker;

-- Asks for the revocation of Apple's grants: of one identity, or of all of the account's. The worker tries for up to 7 days.
create function request_apple_revocation(tenant uuid, member uuid, identity uuid default null) returns void
    language sql
    as $$
        update apple_grants set revoke_requested_at = clock_timestamp(), next_attempt_at = clock_timestamp(), attempts = 0
        where tenant_id = tenant and user_id = member and (identity is null or identity_id = identity) and revoke_requested_at is null
    $$;

-- Grants with something to do, each for one worker: a claim holds for a minute.
create function claim_apple_grants(most int)
    returns table (tenant_id uuid, user_id uuid, identity_id uuid, client_id text, subject_hash bytea, code_sealed bytea,
        code_at timestamptz, token_sealed bytea, revoke_requested_at timestamptz, attempts int)
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        update public.apple_grants g set attempts = g.attempts + 1, next_attempt_at = clock_timestamp() + interval '1 minute'
        from (select d.tenant_id, d.user_id, d.identity_id, d.client_id from public.apple_grants d
              where (d.code_sealed is not null or d.revoke_requested_at is not null) and d.next_attempt_at <= clock_timestamp()
              order by d.next_attempt_at limit most for update skip locked) due
        where g.tenant_id = due.tenant_id and g.user_id = due.user_id and g.identity_id = due.identity_id and g.client_id = due.client_id
        returning g.tenant_id, g.user_id, g.identity_id, g.client_id, g.subject_hash, g.code_sealed, g.code_at, g.token_sealed,
            g.revoke_requested_at, g.attempts
    $$;

-- Forgets revocations for a person who signs in with Apple again after an earlier account was left: the late revocation would end the new
-- authorization too (revoking any token of a person ends the app's), and there is nothing to end any more.
create function forget_older_grants(tenant uuid, client text, subject bytea, identity uuid) returns void
    language sql
    as $$
        delete from apple_grants where tenant_id = tenant and client_id = client and subject_hash = subject and identity_id <> identity
            and revoke_requested_at is not null
    $$;

-- Revocations that failed for 7 days, and grants of which there is only a code that Apple takes no longer.
create function sweep_apple_grants(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('apple_grants', $$
        revoke_requested_at < statement_timestamp() - interval '7 days'
            or token_sealed is null and code_at < statement_timestamp() - interval '10 minutes'
    $$, most);

-- Codes that Apple takes no longer, of grants that have their token.
create function sweep_apple_codes(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (update public.apple_grants set code_sealed = null, code_at = null
            where ctid = any (array(select g.ctid from public.apple_grants g
                where g.token_sealed is not null and g.code_at < statement_timestamp() - interval '10 minutes'
                limit most for update skip locked)) returning 1)
        select count(*) from gone
    $$;

grant execute on function address_is_proved, request_apple_revocation to diary_api, diary_auth, diary_worker;
grant execute on function may_sign_in, rotate_session, rotate_and_tell, take_challenge, require_address, forget_older_grants to diary_auth;
grant execute on function begin_token to diary_api;
grant execute on function begin_member, session_is_fresh, require_fresh_proof, end_own_links_and_codes to diary_api, diary_auth;
grant execute on function claim_apple_grants, sweep_email_codes, sweep_sessions, sweep_api_tokens, sweep_sign_in_challenges, sweep_provider_notices,
    sweep_apple_grants, sweep_apple_codes to diary_worker;
