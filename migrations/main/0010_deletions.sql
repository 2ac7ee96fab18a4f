-- Erasing an account (decision 0022). The tombstone ends every session and every running job in one transaction; a worker then destroys the data key, the
-- objects and the rows. What is left of it for 30 days is a row here that names no person.

-- Neither tenant nor user: a receipt is found by its keyed hash, and whose account it is lies sealed under the service's own key until the last sweep.
-- No job of `jobs`: those go with their user's row, and this outlives it.
create table deletions (
    id uuid constraint deletions_pk primary key,
    receipt_hash bytea not null constraint deletions_receipt_key unique,
    -- Tenant and user; null once nothing of theirs can come any more.
    subject_sealed bytea,
    requested_at timestamptz not null default clock_timestamp(),
    key_destroyed_at timestamptz,
    -- Key, objects and rows are gone.
    erased_at timestamptz,
    -- The last address that could still take an upload ends here; objects are swept again until then.
    sweep_until timestamptz not null,
    swept_at timestamptz,
    entries bigint not null default 0,
    objects bigint not null default 0,
    exports bigint not null default 0,
    mails bigint not null default 0,
    sessions bigint not null default 0,
    keys bigint not null default 0,
    run_at timestamptz not null default clock_timestamp(),
    -- As with jobs: grows with every claim, and every write of a worker carries it (decision D2).
    attempt int not null default 0,
    lease_until timestamptz,
    constraint deletions_end check ((subject_sealed is null) = (swept_at is not null))
);

create index deletions_waiting on deletions (run_at) where subject_sealed is not null;

-- Whoever holds a receipt sees times and counts; whose it was only a worker can ask, and cannot read without the service's key.
grant insert, select (receipt_hash, requested_at, key_destroyed_at, erased_at, swept_at, entries, objects, exports, mails, sessions, keys) on deletions
    to diary_api;
grant select, update, delete on deletions to diary_worker;

-- On the row whose lock everybody takes first, so that whoever waited for it sees that the account is going: a condition on `users` would be
-- looked at with the snapshot from before the wait.
alter table user_sync add column closed_at timestamptz;

create or replace function bump_change(tenant uuid, member uuid, live_key uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and key_id = live_key and closed_at is null
        returning change_number into taken;
    if taken is null then
        raise exception 'the key is not live' using errcode = 'DI409';
    end if;
    return taken;
end $$;

create or replace function touch_owner(tenant uuid, member uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and closed_at is null
        returning change_number into taken;
    if taken is null then
        raise exception 'there is no such user' using errcode = 'DI404';
    end if;
    return taken;
end $$;

-- Has this session proved not long ago who it is? For acts that a stolen token alone must not do.
create function session_is_fresh(tenant uuid, member uuid, session uuid) returns boolean
    language sql stable
    as $$
        select exists (select from sessions where tenant_id = tenant and user_id = member and id = session
            and proved_at > clock_timestamp() - interval '10 minutes')
    $$;

-- The tombstone. Null when the session has not proved itself; nothing has happened then.
create function request_erasure(
    tenant uuid, member uuid, session uuid, proved boolean, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision, request text)
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
    perform record_event(tenant, member, 'erasure_requested', 'member', session, request);
    -- What Apple gave for this person ends too; the worker tells it.
    perform request_apple_revocation(tenant, member);
    -- The address is free at once.
    delete from identities where tenant_id = tenant and user_id = member;
    insert into deletions (id, receipt_hash, subject_sealed, requested_at, sweep_until)
        values (deletion, receipt, sealed, stamp, stamp + make_interval(secs => upload_seconds));
    return stamp;
end $$;

grant update (deleted_at) on users to diary_api;
grant delete on identities to diary_api;
grant execute on function session_is_fresh(uuid, uuid, uuid),
    request_erasure(uuid, uuid, uuid, boolean, uuid, bytea, bytea, double precision, text) to diary_api;

-- The rows of an account that has its tombstone, as their owner, since a worker may delete nobody's. The transaction must be opened for that very
-- account, or nothing happens.
create function may_erase(tenant uuid, member uuid) returns boolean
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select (tenant, member) = (public.current_tenant(), public.current_member())
            and not exists (select from public.users where tenant_id = tenant and id = member and deleted_at is null)
    $$;

-- A diary's entries, some at a time: everything else of an account is little.
create function erase_entries(tenant uuid, member uuid, most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint;
begin
    if public.may_erase(tenant, member) is not true then
        raise exception 'the account is not going' using errcode = 'DI404';
    end if;
    -- An array, and not `in (select …)`: that was planned as a nested loop over the whole diary (40 s for 20,000 entries).
    delete from public.entries where tenant_id = tenant and user_id = member
        and id = any (array(select e.id from public.entries e where e.tenant_id = tenant and e.user_id = member limit most));
    get diagnostics gone = row_count;
    return gone;
end $$;

-- The rest: whatever names the account goes with it by its foreign keys, also in tables that come later.
create function erase_member(tenant uuid, member uuid, out gone_exports bigint, out gone_mails bigint, out gone_sessions bigint)
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    if public.may_erase(tenant, member) is not true then
        raise exception 'the account is not going' using errcode = 'DI404';
    end if;
    perform from public.user_sync where tenant_id = tenant and user_id = member for update;
    -- A sign-in that was under way may have brought another grant.
    perform public.request_apple_revocation(tenant, member);
    select count(*) into gone_exports from public.exports where tenant_id = tenant and user_id = member;
    select count(*) into gone_mails from public.mails where tenant_id = tenant and user_id = member;
    select count(*) into gone_sessions from public.sessions where tenant_id = tenant and user_id = member;
    delete from public.users where tenant_id = tenant and id = member;
end $$;

grant execute on function erase_entries(uuid, uuid, int), erase_member(uuid, uuid) to diary_worker;

-- Made before anything was granted by default: without it `pg_dump` as diary_backup stops here.
grant select on schema_migrations to diary_backup;
