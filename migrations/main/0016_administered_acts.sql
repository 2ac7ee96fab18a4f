-- What an administrator does to an account is written down with who did it, in the same transaction. The account's own events go with its rows; this
-- stays, and therefore holds no user id: it names no person but the operator.

alter table tenant_acts drop constraint tenant_acts_act;
alter table tenant_acts add constraint tenant_acts_act check (act in (
    'created', 'changed', 'suspended', 'resumed', 'exported', 'erasure_requested', 'erased',
    'user_disabled', 'user_enabled', 'user_erased', 'sessions_revoked'));

create function note_act(tenant uuid, done text, operator text) returns void
    language sql
    as $$
        insert into public.tenant_acts (slug, act, operator) select t.slug, done, operator from public.tenants t where t.id = tenant
    $$;

-- As before (0011), with who did it. No note when it was so already, or when there is no such account.
drop function admin_set_disabled(uuid, uuid, boolean);
create function admin_set_disabled(tenant uuid, member uuid, disabled boolean, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    done constant text := case when disabled then 'user_disabled' else 'user_enabled' end;
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
    perform public.record_event(tenant, member, done, 'admin', null, null);
    perform public.note_act(tenant, done, operator);
    return true;
end $$;

-- As before (0011), with who did it; one session or all, the note is the same.
drop function admin_revoke_sessions(uuid, uuid, uuid);
create function admin_revoke_sessions(tenant uuid, member uuid, session uuid, operator text) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
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
        perform public.note_act(tenant, 'sessions_revoked', operator);
    end if;
    return ended;
end $$;

-- As before (0010), and the account's event says who asked: the member, an administrator, or the service itself.
drop function request_erasure(uuid, uuid, uuid, boolean, uuid, bytea, bytea, double precision, text);
create function request_erasure(
    tenant uuid, member uuid, session uuid, proved boolean, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision, request text,
    asker text default 'member')
    returns timestamptz
    language plpgsql
    as $$
declare
    stamp timestamptz := clock_timestamp();
begin
    if not proved and not session_is_fresh(tenant, member, session) then
        return null;
    end if;
    -- The user's lock first (decision D9): results that are being written end before it, later ones find the account closed.
    update user_sync set closed_at = stamp where tenant_id = tenant and user_id = member and closed_at is null;
    if not found then
        raise exception 'the account is going' using errcode = 'DI401';
    end if;
    update users set deleted_at = stamp where tenant_id = tenant and id = member and deleted_at is null;
    update sessions set revoked_at = stamp where tenant_id = tenant and user_id = member and revoked_at is null;
    -- Leases end here: the heartbeat does not find its job and cancels it. No try, no crash, no dead letter.
    update jobs set state = 'done', finished_at = stamp, lease_until = null, leased_by = null
        where tenant_id = tenant and user_id = member and state in ('ready', 'leased');
    perform record_event(tenant, member, 'erasure_requested', asker, session, request);
    -- What Apple gave for this person ends too; the worker tells it.
    perform request_apple_revocation(tenant, member);
    -- The address is free at once.
    delete from identities where tenant_id = tenant and user_id = member;
    insert into deletions (id, receipt_hash, subject_sealed, requested_at, sweep_until)
        values (deletion, receipt, sealed, stamp, stamp + make_interval(secs => upload_seconds));
    return stamp;
end $$;

grant execute on function request_erasure(uuid, uuid, uuid, boolean, uuid, bytea, bytea, double precision, text, text) to diary_api;

-- As before (0012), with who did it. Without an operator nothing is noted: who erases an app erases its accounts, and that is one act of the app's.
drop function admin_request_erasure(uuid, uuid, uuid, bytea, bytea, double precision);
create function admin_request_erasure(
    tenant uuid, member uuid, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision, operator text) returns timestamptz
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    stamp timestamptz;
begin
    if not exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null) then
        return null;
    end if;
    stamp := public.request_erasure(tenant, member, null, true, deletion, receipt, sealed, upload_seconds, null, 'admin');
    if operator is not null then
        perform public.note_act(tenant, 'user_erased', operator);
    end if;
    return stamp;
end $$;

grant execute on function admin_set_disabled(uuid, uuid, boolean, text), admin_revoke_sessions(uuid, uuid, uuid, text),
    admin_request_erasure(uuid, uuid, uuid, bytea, bytea, double precision, text) to diary_admin;

-- For sign-ups that nobody confirmed (0013): nobody asked but the service. False when it is none any more.
create function request_abandoned_erasure(
    tenant uuid, member uuid, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    -- The user's lock first (decision D9). Then the address: a code that is just coming back ends before this.
    perform from public.user_sync s where s.tenant_id = tenant and s.user_id = member for update;
    perform from public.identities i where i.tenant_id = tenant and i.user_id = member for update;
    if not exists (select from public.abandoned_sign_ups a where a.tenant_id = tenant and a.user_id = member) then
        return false;
    end if;
    perform public.request_erasure(tenant, member, null, true, deletion, receipt, sealed, upload_seconds, null, 'service');
    update public.deletions d set asked_for = false where d.id = deletion;
    return true;
end $$;

grant execute on function request_abandoned_erasure(uuid, uuid, uuid, bytea, bytea, double precision) to diary_worker;
