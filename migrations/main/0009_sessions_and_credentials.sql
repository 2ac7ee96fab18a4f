-- Sessions that people can see and end, refresh tokens that tell of their reuse, mailed codes for more than sign-up, and what a member may change.

alter table users
    -- Set by an administrator: no way in works, and every session has ended. What is there stays.
    add column disabled_at timestamptz,
    -- Minutes after midnight at which a diary's day ends: at three in the morning it is still yesterday.
    add column day_ends_minute int not null default 0 constraint users_day_ends check (day_ends_minute between 0 and 719),
    -- Languages to listen for; empty is any.
    add column languages text[] not null default '{}' constraint users_languages check (cardinality(languages) <= 20),
    -- Whether recordings may be used to make recognition better. Nobody's are, until they say so.
    add column training_consent boolean not null default false;

grant update (day_ends_minute, languages, training_consent) on users to diary_api;
grant update (email_sealed) on users to diary_auth;

alter table sessions
    -- Country or network, as far as the request told; sealed, as it says where somebody was.
    add column place_sealed bytea,
    -- When this session last proved who it is: at sign-in, and whenever a password or a mailed code was given again. Dangerous acts ask for a fresh one.
    add column proved_at timestamptz not null default clock_timestamp(),
    -- How often the parent of the newest token came again within its grace, and when that was counted last (decision 0020).
    add column grace_uses int not null default 0,
    add column grace_used_at timestamptz;

-- Sessions from before prove nothing fresh.
update sessions set proved_at = created_at;

alter table email_codes
    drop constraint email_codes_purpose,
    add constraint email_codes_purpose check (purpose in ('verify', 'login', 'reset', 'address', 'reauthenticate')),
    alter column password_phc drop not null,
    add constraint email_codes_password check ((password_phc is not null) = (purpose = 'verify')),
    -- The address that the code is to prove, when it is a new one.
    add column new_subject_hash bytea,
    add column new_address_sealed bytea,
    add constraint email_codes_address check ((new_subject_hash is not null and new_address_sealed is not null) = (purpose = 'address')),
    -- A keyed hash of where it was asked for, so that one asker cannot use up everybody's.
    add column asker_hash bytea,
    -- Drawn by the call that used the code up: the later statements of its transaction ask for it.
    add column redemption uuid;

-- An address that somebody proves leaves a sign-up that only waited for it.
grant delete on identities to diary_auth;

-- Kinds of mail are the program's; a list here would have to be altered with each.
alter table mails
    drop constraint mails_kind,
    add constraint mails_kind check (kind ~ '^[a-z][a-z_]{2,40}$');

-- As before, and not for somebody whom an administrator has disabled.
create or replace function begin_member(tenant uuid, member uuid, session uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', member::text, true);
    perform from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
        where s.tenant_id = tenant and s.user_id = member and s.id = session
            and s.revoked_at is null and s.expires_at > now() and u.deleted_at is null and u.disabled_at is null;
    if not found then
        raise exception 'the session has ended' using errcode = 'DI401';
    end if;
end $$;

-- Whether an account may be entered at all, for ways in that do not end in a look-up by address.
create or replace function may_sign_in(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.disabled_at is null)
    $$;

grant execute on function may_sign_in(uuid, uuid) to diary_auth;

-- Passwords, addresses and proofs are changed by members too, as diary_auth: no other role may write them.
grant execute on function begin_member(uuid, uuid, uuid) to diary_auth;

-- Trades a refresh token, under the session's lock, and says what came of it (decision 0020):
-- rotated, repeated (the parent came again within its grace), too_often, reused (the parent came after its grace: the session has ended),
-- older (a number before the parent's: `newest` is what it must lead to, the caller computes), refused.
create function rotate_session(
    tenant uuid, member uuid, given uuid, number int, presented bytea, successor bytea, grace interval, burst interval, most int, idle interval,
    request text)
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
        update sessions x set refresh_number = number + 1, refresh_hash = successor, previous_hash = presented, rotated_at = clock_timestamp(),
            last_used_at = clock_timestamp(), idle_expires_at = clock_timestamp() + idle, grace_uses = 0, grace_used_at = null
            where x.tenant_id = tenant and x.user_id = member and x.id = given;
        return query select 'rotated', null::int, null::bytea;
    elsif number + 1 = s.refresh_number and presented = s.previous_hash and successor = s.refresh_hash then
        if s.rotated_at <= clock_timestamp() - grace then
            update sessions x set revoked_at = clock_timestamp() where x.tenant_id = tenant and x.user_id = member and x.id = given;
            perform record_event(tenant, member, 'refresh_reused', 'stranger', given, request);
            return query select 'reused', null::int, null::bytea;
        elsif s.grace_used_at > clock_timestamp() - burst then
            return query select 'repeated', null::int, null::bytea;
        elsif s.grace_uses < most then
            update sessions x set grace_uses = x.grace_uses + 1, grace_used_at = clock_timestamp()
                where x.tenant_id = tenant and x.user_id = member and x.id = given;
            perform record_event(tenant, member, 'refresh_repeated', 'stranger', given, request);
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

grant execute on function rotate_session(uuid, uuid, uuid, int, bytea, bytea, interval, interval, int, interval, text) to diary_auth;

-- Events are kept for 400 days: a year, and time to notice.
create function sweep_sessions() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint := 0;
begin
    delete from public.audit_events where at < clock_timestamp() - interval '400 days';
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function sweep_sessions() to diary_worker;
