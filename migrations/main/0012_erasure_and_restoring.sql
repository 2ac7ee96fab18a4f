-- Erasing an account (decision 0022), and what a database must know of itself so that restoring an older one loses nothing in silence.

-- The erasure of an account: the tombstone ends every session and every running job in one transaction; a worker then destroys the data
-- key, the objects and the rows. What is left for 30 days is a row here that names no person: a receipt is found by its keyed hash, and
-- whose account it is lies sealed under the service's own key until the last sweep. No job of `jobs`: those go with their user's row, and
-- this outlives it.
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
    -- As in `jobs`: grows with every claim, and every write of a worker carries it (decision D2).
    attempt int not null default 0,
    lease_until timestamptz,
    -- False of a sign-up that was never confirmed: those wait behind what people have asked for.
    asked_for boolean not null default true,
    constraint deletions_end check ((subject_sealed is null) = (swept_at is not null))
);

create index deletions_waiting on deletions (run_at) where subject_sealed is not null;

-- The holder of a receipt sees times and counts. Only a worker can ask whose it was, and cannot read it without the service's key.
grant select (receipt_hash, requested_at, key_destroyed_at, erased_at, swept_at, entries, objects, exports, mails, sessions, keys), insert
    on deletions to diary_api;
grant select, update on deletions to diary_worker;

-- Receipts, 30 days after the erasure.
create function sweep_deletions(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('deletions', $$swept_at is not null and erased_at < statement_timestamp() - interval '30 days'$$, most);

-- The tombstone. Null when the session has not proved itself of late: nothing has happened then. The account's event says who asked: the
-- member, an administrator, or the service itself.
create function request_erasure(
    tenant uuid, member uuid, session uuid, proved boolean, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision,
    request text, asker text default 'member') returns timestamptz
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
    -- Until the last upload URL has ended: those of the service, or of the app where it has a setting.
    insert into deletions (id, receipt_hash, subject_sealed, requested_at, sweep_until)
        values (deletion, receipt, sealed, stamp, stamp + make_interval(secs => greatest(upload_seconds, (
            select least(86400, (a.configuration ->> 'limits.upload_url_seconds')::double precision) from tenants a
            where a.id = tenant and upload_seconds > 0 and jsonb_typeof(a.configuration -> 'limits.upload_url_seconds') = 'number'))));
    return stamp;
end $$;

-- Whether rows of an account may be deleted: it has its tombstone, and the transaction was opened for it. The functions below run as the
-- owner, since a worker may delete no account's rows.
create function may_erase(tenant uuid, member uuid) returns boolean
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select (tenant, member) = (public.current_tenant(), public.current_member())
            and not exists (select from public.users where tenant_id = tenant and id = member and deleted_at is null)
    $$;

-- What an account may have much of, up to `most` rows of each kind; `erase_member` takes the rest. Answers the largest number of one kind
-- (0 when nothing is left) and how many counted things were among them.
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
    delete from public.import_items where ctid = any (array(
        select i.ctid from public.import_items i where i.tenant_id = tenant and i.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
end $$;

-- The rest: all that names the account goes with it by its foreign keys, also in tables that come later.
create function erase_member(tenant uuid, member uuid, out gone_exports bigint, out gone_mails bigint, out gone_sessions bigint)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
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

-- Sign-ups a week old of which nothing was proved and no code still lives. They end as an account does that is erased, so that their data
-- keys go too.
create view abandoned_sign_ups with (security_invoker = true) as
    select u.tenant_id, u.id as user_id, u.created_at from users u
    where u.deleted_at is null and u.created_at < statement_timestamp() - interval '7 days'
        and not exists (select from identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.verified_at is not null)
        and not exists (select from email_codes c where c.tenant_id = u.tenant_id and c.user_id = u.id
            and c.expires_at > statement_timestamp());

-- A page of accounts a week old, after the given place, or the first one when that is null: ids, and whether each is an abandoned sign-up.
create function sweep_sign_ups(after_created timestamptz, after_user uuid, most int)
    returns table (tenant_id uuid, user_id uuid, created_at timestamptz, is_abandoned boolean)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select u.tenant_id, u.id, u.created_at,
            -- With the offset it is asked for each account; without, all abandoned sign-ups would be collected for every page.
            exists (select from public.abandoned_sign_ups a where a.tenant_id = u.tenant_id and a.user_id = u.id offset 0)
        from public.users u
        where u.deleted_at is null and u.created_at < statement_timestamp() - interval '7 days'
            and (u.created_at, u.id) > (coalesce(after_created, '-infinity'), coalesce(after_user, '00000000-0000-0000-0000-000000000000'))
        order by u.created_at, u.id limit most
    $$;

-- For sign-ups that were never confirmed: the service itself asks. False when it is none any more.
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

-- One row. A position of the feed carries the epoch in which it was given; in another epoch it is answered 410 for ever, also when the
-- account's numbers have caught up. Epochs are random: counted ones would come again when an older dump is restored a second time. 0 until
-- the first restore, which is also the epoch of positions that carry none.
create table sync_epoch (
    is_only boolean not null default true constraint sync_epoch_pk primary key constraint sync_epoch_only check (is_only),
    epoch bigint not null default 0 constraint sync_epoch_range check (epoch >= 0),
    begun_at timestamptz not null default clock_timestamp(),
    -- Times that a database lived through which this one does not continue: `since` with such a time is answered 410 as well.
    lost tstzmultirange not null default '{}',
    -- The transaction that wrote the row. In a copy made by dump and restore the row's xmin is another one, which shows that it was
    -- restored.
    written_xid bigint not null default pg_current_xact_id()::text::bigint % 4294967296,
    -- Changes with every promotion and with every recovery to a point in time.
    written_timeline text not null default substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
);

grant select on sync_epoch to diary_api;

insert into sync_epoch default values;

-- Whether the database was restored from a dump since its epoch began.
create function is_restored() returns boolean
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select e.written_xid <> e.xmin::text::bigint from public.sync_epoch e $$;

-- Begins a new epoch, after which nothing of the times from `since` to `until` continues.
create function begin_epoch(since timestamptz, until timestamptz) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        -- random() gives 53 bits at most.
        update public.sync_epoch set epoch = 1 + floor(random() * 9007199254740990)::bigint, begun_at = clock_timestamp(),
            lost = lost + tstzmultirange(tstzrange(least(since, until), until, '[]')),
            written_xid = pg_current_xact_id()::text::bigint % 4294967296,
            written_timeline = substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
        returning epoch
    $$;

-- One row. Sweepers count here and write the same number beside the objects: when the number there is larger, this database is older than
-- the objects.
create table sweep_mark (
    is_only boolean not null default true constraint sweep_mark_pk primary key constraint sweep_mark_only check (is_only),
    number bigint not null default 0,
    at timestamptz not null default 'epoch',
    -- Objects of these times that no row names stay until an operator gives them up: a newer dump, or WAL, may still name them.
    kept tstzmultirange not null default '{}'
);

insert into sweep_mark default values;

-- A sweep begins. `stored` is the number beside the objects, `is_first` says that it is the first sweep of its process, and `away` how many
-- seconds without any sweep are too many. Answers the number to write beside the objects, and what was found: 'restored', 'unobserved', or
-- null. Five minutes more are kept, since the clocks of database and objects may differ.
create function note_sweep(stored bigint, is_first boolean, away double precision, out next_number bigint, out finding text)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    mark public.sweep_mark;
    stamp timestamptz;
begin
    select * into mark from public.sweep_mark for update;
    stamp := clock_timestamp();
    if public.is_restored() or stored > mark.number then
        finding := 'restored';
        perform public.begin_epoch(mark.at - interval '5 minutes', stamp);
    -- While no worker ran nothing was compared: what was lost then would not show.
    elsif is_first and mark.number > 0 and stamp - mark.at > make_interval(secs => away) then
        finding := 'unobserved';
    end if;
    next_number := greatest(mark.number, stored) + 1;
    update public.sweep_mark set number = next_number, at = stamp, kept = case when finding is null then kept
        else kept + tstzmultirange(tstzrange(mark.at - interval '5 minutes', stamp, '[]')) end;
end $$;

-- The times of which objects that no row names are kept.
create function kept_times() returns table (since timestamptz, until timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select lower(k), upper(k) from public.sweep_mark m, unnest(m.kept) k order by 1 $$;

grant execute on function request_erasure to diary_api;
grant execute on function erase_batch, erase_member, sweep_sign_ups, request_abandoned_erasure, sweep_deletions, note_sweep to
    diary_worker;
grant execute on function kept_times to diary_worker, diary_admin;
