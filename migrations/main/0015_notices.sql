-- Mails that tell an owner what was done to the account are queued by what did it, in the same transaction: there is no such act without its mail.
alter table mails
    alter column payload drop not null,
    -- The account's address as it was then, sealed as it is there: for a mail that says nothing but its kind.
    add column address_sealed bytea,
    add constraint mails_content check (num_nonnulls(payload, address_sealed) >= 1);

-- To the proved address; where none is, nobody is told. At most five of a kind in an hour. Only for the account that the transaction was opened for.
create function queue_notice(tenant uuid, member uuid, notice text) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    mail uuid := gen_random_uuid();
begin
    if (tenant, member) is distinct from (public.current_tenant(), public.current_member()) then
        raise exception 'another account''s notice' using errcode = 'DI404';
    end if;
    insert into public.mails (tenant_id, user_id, id, kind, address_sealed, key_id)
        select tenant, member, mail, notice, u.email_sealed, s.key_id
        from public.users u join public.user_sync s on s.tenant_id = u.tenant_id and s.user_id = u.id
        where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.email_sealed is not null
            and public.address_is_proved(tenant, member)
            and (select count(*) from public.mails m where m.tenant_id = tenant and m.user_id = member and m.kind = notice
                and m.created_at > clock_timestamp() - interval '1 hour') < 5;
    if found then
        insert into public.jobs (id, tenant_id, user_id, kind, subject) values (mail, tenant, member, 'mail', mail);
    end if;
end $$;

-- Trades a refresh token (0009), and tells the owner when that ended the session.
create function rotate_and_tell(
    tenant uuid, member uuid, given uuid, number int, presented bytea, successor bytea, grace interval, burst interval, most int, idle interval,
    request text)
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

-- Whoever comes by Apple again after an account was left that Apple has not yet been told of: the late word would end the new authorization too
-- (revoking any token of a person ends the app's), and there is nothing to end any more.
create function forget_older_grants(tenant uuid, client text, subject bytea, identity uuid) returns void
    language sql
    as $$
        delete from apple_grants where tenant_id = tenant and client_id = client and subject_hash = subject and identity_id <> identity
            and revoke_requested_at is not null
    $$;

grant execute on function queue_notice(uuid, uuid, text) to diary_api, diary_auth;
grant execute on function rotate_and_tell(uuid, uuid, uuid, int, bytea, bytea, interval, interval, int, interval, text),
    forget_older_grants(uuid, text, bytea, uuid) to diary_auth;
