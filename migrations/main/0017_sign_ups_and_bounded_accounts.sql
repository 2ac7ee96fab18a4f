-- What a sign-up says of its account waits beside its code, as its password does: of several with one address the one that is proved counts, and what a
-- stranger said earlier is gone.
alter table email_codes
    add column name_sealed bytea,
    add column time_zone text,
    add column locale text;

grant update (name_sealed, time_zone, locale) on users to diary_auth;

-- An account stays small enough to be closed and erased in time, whatever its apps do: one that signs in every minute for a year must not be able to make
-- statements about its sessions, or its erasure, run into their time limit.

create index sessions_open on sessions (tenant_id, user_id) where revoked_at is null;

-- Of an account's open sessions the hundred used last stay; more than 500 at a time do not end, so that a sign-in is never long. They are chosen first
-- and locked then: an offset locks what it skips too. One that somebody else is at is left to the next time.
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

-- What an account may have much of, up to `most` rows of each kind; `erase_member` (0010) takes the rest. Answers the largest number of one kind: 0 when
-- nothing is left, and how many were counted things.
create function erase_batch(
    tenant uuid, member uuid, most int, out gone bigint, out gone_entries bigint, out gone_sessions bigint, out gone_mails bigint)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone_others bigint;
begin
    if public.may_erase(tenant, member) is not true then
        raise exception 'the account is not going' using errcode = 'DI404';
    end if;
    -- Arrays, and not `in (select …)`: that was planned as a nested loop over the whole diary (40 s for 20,000 entries).
    delete from public.entries where tenant_id = tenant and user_id = member
        and id = any (array(select e.id from public.entries e where e.tenant_id = tenant and e.user_id = member limit most));
    get diagnostics gone_entries = row_count;
    delete from public.sessions where tenant_id = tenant and user_id = member
        and id = any (array(select s.id from public.sessions s where s.tenant_id = tenant and s.user_id = member limit most));
    get diagnostics gone_sessions = row_count;
    delete from public.mails where tenant_id = tenant and user_id = member
        and id = any (array(select m.id from public.mails m where m.tenant_id = tenant and m.user_id = member limit most));
    get diagnostics gone_mails = row_count;
    gone := greatest(gone_entries, gone_sessions, gone_mails);
    delete from public.audit_events where tenant_id = tenant and user_id = member
        and id = any (array(select a.id from public.audit_events a where a.tenant_id = tenant and a.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
    delete from public.jobs where tenant_id = tenant and user_id = member
        and id = any (array(select j.id from public.jobs j where j.tenant_id = tenant and j.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
    delete from public.idempotency_keys where ctid = any (array(
        select k.ctid from public.idempotency_keys k where k.tenant_id = tenant and k.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
end $$;

grant execute on function erase_batch(uuid, uuid, int) to diary_worker;
