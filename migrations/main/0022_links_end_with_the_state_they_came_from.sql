-- A link to a zip, a mailed code and a mail that still waits belong to the account as it was when they were made. A change of address or password, a reset
-- and the end of all sessions end them, in the same transaction.

-- Exports that are not built yet go on: their link does not exist yet, and its mail goes to the address of that moment.
-- Locks: the account, as every change of password or address does first; then mails before exports, as a worker that ends a mail does.
create function end_links_and_codes(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    perform from public.users u where u.tenant_id = tenant and u.id = member for no key update;
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
    update public.exports x set revoked_at = clock_timestamp(), mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
        where x.tenant_id = tenant and x.user_id = member and x.revoked_at is null and x.status = 'ready' and x.expires_at > clock_timestamp();
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

grant execute on function end_own_links_and_codes(uuid, uuid) to diary_api, diary_auth;

-- Whatever changes or removes an account's address.
create function end_links_of_the_old_address() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    perform public.end_links_and_codes(new.tenant_id, new.id);
    return null;
end $$;

create trigger users_address_left after update of email_sealed on users
    for each row when (old.email_sealed is distinct from new.email_sealed) execute function end_links_of_the_old_address();

-- As before (0016); links and codes end with the sessions.
create or replace function admin_set_disabled(tenant uuid, member uuid, disabled boolean, operator text) returns boolean
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
        perform public.end_links_and_codes(tenant, member);
    end if;
    perform public.record_event(tenant, member, done, 'admin', null, null);
    perform public.note_act(tenant, done, operator);
    return true;
end $$;

-- As before (0016); links and codes end when all sessions do.
create or replace function admin_revoke_sessions(tenant uuid, member uuid, session uuid, operator text) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    ended bigint;
begin
    if session is null then
        perform public.end_links_and_codes(tenant, member);
    end if;
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
