-- What an operator sets for an app, and what an administrator may do to an account: never its words.

alter table tenants
    -- Names and values as `diary tenant settings` lists them; validated before they are written, unknown names are ignored.
    add column configuration jsonb not null default '{}'
        constraint tenants_configuration_form check (jsonb_typeof(configuration) = 'object' and octet_length(configuration::text) <= 65536);

-- Who changed what about an app. Append-only; names no person but the operator who typed it.
create table tenant_acts (
    id uuid not null default gen_random_uuid() constraint tenant_acts_pk primary key,
    slug text not null,
    at timestamptz not null default clock_timestamp(),
    act text not null constraint tenant_acts_act check (act in ('created', 'changed', 'suspended', 'resumed', 'exported', 'erasure_requested', 'erased')),
    -- Names of the settings that changed, without their values.
    settings text[] not null default '{}',
    operator text not null constraint tenant_acts_operator check (char_length(operator) between 1 and 100)
);

create index tenant_acts_by_time on tenant_acts (slug, at desc);

grant select, insert on tenant_acts to diary_admin;

-- Opens a member's transaction and stops it at once when the session has ended (decision D6), the account is disabled or the app is suspended.
create or replace function begin_member(tenant uuid, member uuid, session uuid) returns void
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

-- As before (0008), and not into an account that is disabled.
create or replace function may_sign_in(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.disabled_at is null)
    $$;

-- Whether what needs no session may still be reached: mailed zips, playback, uploads.
create function account_is_open(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u join tenants t on t.id = u.tenant_id
            where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.disabled_at is null and t.suspended_at is null)
    $$;

grant execute on function account_is_open(uuid, uuid) to diary_api, diary_auth, diary_worker;

-- No way in opens a session of an account that is disabled or being erased, whichever statement tries.
create function refuse_closed_account() returns trigger
    language plpgsql
    as $$
begin
    if exists (select from users u where u.tenant_id = new.tenant_id and u.id = new.user_id and (u.disabled_at is not null or u.deleted_at is not null)) then
        raise exception 'the account is closed' using errcode = 'DI401';
    end if;
    return new;
end $$;

create trigger sessions_of_open_accounts before insert on sessions for each row execute function refuse_closed_account();

-- A way in may be added or taken away only by whoever proved a moment ago who they are: a stolen access token must not leave one behind.
create function require_fresh_proof(tenant uuid, member uuid, session uuid) returns void
    language plpgsql stable
    as $$
begin
    if not session_is_fresh(tenant, member, session) then
        raise exception 'the session must prove again who it is' using errcode = 'DI405';
    end if;
end $$;

grant execute on function require_fresh_proof(uuid, uuid, uuid) to diary_api, diary_auth;
grant execute on function session_is_fresh(uuid, uuid, uuid) to diary_auth;

-- What an administrator may know and do. Each function is SECURITY DEFINER with a fixed search_path, owned by diary_owner, granted to
-- diary_admin alone, and shows ids, times and counts.

create function admin_find_user(tenant uuid, address_hash bytea) returns uuid
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select i.user_id from public.identities i where i.tenant_id = tenant and i.issuer = 'email' and i.subject_hash = address_hash
    $$;

create function admin_user(tenant uuid, member uuid)
    returns table (created_at timestamptz, disabled_at timestamptz, deleted_at timestamptz, ways_in text[], sessions bigint,
        last_used_at timestamptz, entries bigint, recording_bytes bigint, exports bigint, waiting_jobs bigint, dead_jobs bigint)
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select u.created_at, u.disabled_at, u.deleted_at,
            array(select i.issuer || case when i.verified_at is null then ' (not verified)' else '' end from public.identities i
                where i.tenant_id = tenant and i.user_id = member order by 1),
            (select count(*) from public.sessions s where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null
                and least(s.expires_at, s.idle_expires_at) > clock_timestamp()),
            (select max(s.last_used_at) from public.sessions s where s.tenant_id = tenant and s.user_id = member),
            e.entries, e.bytes,
            (select count(*) from public.exports x where x.tenant_id = tenant and x.user_id = member),
            j.waiting, j.dead
        from public.users u,
            lateral (select count(*) as entries, coalesce(sum(size_bytes), 0)::bigint as bytes from public.entries e
                where e.tenant_id = tenant and e.user_id = member and e.deleted_at is null) e,
            lateral (select count(*) filter (where state in ('ready', 'leased')) as waiting, count(*) filter (where state = 'dead') as dead
                from public.jobs j where j.tenant_id = tenant and j.user_id = member) j
        where u.tenant_id = tenant and u.id = member
    $$;

-- Disabled, an account keeps everything and lets nobody in; its sessions end.
create function admin_set_disabled(tenant uuid, member uuid, disabled boolean) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    perform from public.user_sync s where s.tenant_id = tenant and s.user_id = member for update;
    update public.users u set disabled_at = case when disabled then clock_timestamp() end
        where u.tenant_id = tenant and u.id = member and u.deleted_at is null and (u.disabled_at is not null) <> disabled;
    if not found then
        return exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null);
    end if;
    if disabled then
        update public.sessions s set revoked_at = clock_timestamp() where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null;
    end if;
    perform public.record_event(tenant, member, case when disabled then 'user_disabled' else 'user_enabled' end, 'admin', null, null);
    return true;
end $$;

-- One session, or all when it is null. Answers how many ended.
create function admin_revoke_sessions(tenant uuid, member uuid, session uuid) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    ended bigint;
begin
    update public.sessions s set revoked_at = clock_timestamp()
        where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null and (session is null or s.id = session);
    get diagnostics ended = row_count;
    if ended > 0 then
        perform public.record_event(
            tenant, member, case when session is null then 'sessions_revoked' else 'session_revoked' end, 'admin', session, null);
    end if;
    return ended;
end $$;

grant execute on function admin_find_user(uuid, bytea), admin_user(uuid, uuid), admin_set_disabled(uuid, uuid, boolean),
    admin_revoke_sessions(uuid, uuid, uuid) to diary_admin;

grant execute on function record_event(uuid, uuid, text, text, uuid, text) to diary_owner;

-- How long a deletion stays in the feed; 90 days unless the app has set another number.
create function tombstone_age(configuration jsonb) returns interval
    language sql immutable parallel safe
    return make_interval(days => case when jsonb_typeof(configuration -> 'retention.tombstone_days') = 'number'
        then greatest(7, least(3650, (configuration ->> 'retention.tombstone_days')::int)) else 90 end);

-- As before (0006), but for the age of tombstones; accounts that are being erased are the eraser's (they have no identities any more).
create or replace function sweep_bookkeeping() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint := 0;
    n bigint;
begin
    delete from public.jobs where state = 'done' and finished_at < clock_timestamp() - interval '7 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.jobs where state = 'dead' and finished_at < clock_timestamp() - interval '30 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.idempotency_keys where created_at < clock_timestamp() - interval '48 hours';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.email_codes where expires_at < clock_timestamp() - interval '1 day';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.mails where created_at < clock_timestamp() - interval '7 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.sessions where least(expires_at, idle_expires_at) < clock_timestamp() - interval '30 days';
    get diagnostics n = row_count; gone := gone + n;
    -- Sign-ups that nobody ever confirmed. Their data keys stay behind in the key store and open nothing.
    delete from public.users u where u.created_at < clock_timestamp() - interval '7 days'
        and u.deleted_at is null
        and not exists (select from public.identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.verified_at is not null)
        and not exists (select from public.email_codes c where c.tenant_id = u.tenant_id and c.user_id = u.id and c.expires_at > clock_timestamp());
    get diagnostics n = row_count; gone := gone + n;
    -- The user's lock first, then their tombstones (decision D9), after as many days as the app has set.
    update public.user_sync s set purged_through = greatest(s.purged_through, t.last)
        from (select e.tenant_id, e.user_id, max(e.change_number) as last from public.entries e join public.tenants a on a.id = e.tenant_id
              where e.deleted_at < clock_timestamp() - public.tombstone_age(a.configuration) group by e.tenant_id, e.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id;
    delete from public.entries e using public.user_sync s, public.tenants a
        where a.id = e.tenant_id and e.deleted_at < clock_timestamp() - public.tombstone_age(a.configuration)
            and s.tenant_id = e.tenant_id and s.user_id = e.user_id and e.change_number <= s.purged_through;
    get diagnostics n = row_count; gone := gone + n;
    return gone;
end $$;
