-- What a database must know of itself so that restoring an older one loses nothing in silence: positions of the feed from the time that is lost, and
-- recordings that only lost rows name.

-- One row. A position of the feed carries the epoch in which it was given; in another epoch it is answered 410 for ever, also when the account's numbers
-- have caught up. Epochs are random: counted ones would come again when an older dump is restored a second time. 0 until the first restore, which is
-- also the epoch of positions that carry none.
create table sync_epoch (
    is_only boolean not null default true constraint sync_epoch_pk primary key constraint sync_epoch_only check (is_only),
    epoch bigint not null default 0 constraint sync_epoch_range check (epoch >= 0),
    begun_at timestamptz not null default clock_timestamp(),
    -- Times that a database lived through which this one does not continue: `since` with such a time is answered 410 as well.
    lost tstzmultirange not null default '{}',
    -- The transaction that wrote the row. In a copy made by dump and restore the row's xmin is another one, which shows that it was restored.
    written_xid bigint not null default pg_current_xact_id()::text::bigint % 4294967296,
    -- Changes with every promotion and with every recovery to a point in time.
    written_timeline text not null default substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
);
insert into sync_epoch default values;

-- One row. Sweepers count here and write the same number beside the objects: when the number there is larger, this database is older than the objects.
create table sweep_mark (
    is_only boolean not null default true constraint sweep_mark_pk primary key constraint sweep_mark_only check (is_only),
    number bigint not null default 0,
    at timestamptz not null default 'epoch',
    -- Objects of these times that no row names stay until an operator gives them up: a newer dump, or WAL, may still name them.
    kept tstzmultirange not null default '{}'
);
insert into sweep_mark default values;

-- Retired token keys, also here: a key database that is restored brings their private keys back, and they must not sign or verify again.
create table retired_token_keys (
    kid text constraint retired_token_keys_pk primary key,
    retired_at timestamptz not null default clock_timestamp()
);

grant select on sync_epoch, retired_token_keys to diary_api;
grant select, insert on retired_token_keys to diary_admin;

-- Was the database restored from a dump since its epoch began?
create function is_restored() returns boolean
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select e.written_xid <> e.xmin::text::bigint from public.sync_epoch e $$;

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

-- A sweep begins. `stored` is the number beside the objects, `is_first` says that it is the first sweep of its process, and `away` how many seconds without
-- any sweep are too many. Answers the number to write beside the objects, and what was found: 'restored', 'unobserved', or null.
-- Five minutes more are kept, since the clocks of database and objects may differ.
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
    -- While no worker ran, nobody compared; what was lost then would not show.
    elsif is_first and mark.number > 0 and stamp - mark.at > make_interval(secs => away) then
        finding := 'unobserved';
    end if;
    next_number := greatest(mark.number, stored) + 1;
    update public.sweep_mark set number = next_number, at = stamp, kept = case when finding is null then kept
        else kept + tstzmultirange(tstzrange(mark.at - interval '5 minutes', stamp, '[]')) end;
end $$;

create function kept_times() returns table (since timestamptz, until timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select lower(k), upper(k) from public.sweep_mark m, unnest(m.kept) k order by 1 $$;

-- After a restore, by an operator. Without a time what is lost begins with the last sweep that this database knows of.
create function admin_new_epoch(lost_since timestamptz, out epoch bigint, out since timestamptz, out until timestamptz)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    mark public.sweep_mark;
begin
    select * into mark from public.sweep_mark for update;
    until := clock_timestamp();
    since := least(coalesce(lost_since, mark.at) - interval '5 minutes', until);
    epoch := public.begin_epoch(since, until);
    -- Far above the number beside the objects, so that the next sweep does not find the same restore again.
    update public.sweep_mark set number = number + 4294967296, kept = kept + tstzmultirange(tstzrange(since, until, '[]'));
end $$;

-- What is kept of the times up to `through` is given up; a later restore's stays. A client's clock type may have rounded it.
create function admin_release_kept(through timestamptz) returns void
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$ update public.sweep_mark set kept = kept - tstzmultirange(tstzrange(null, through + interval '1 millisecond', '[]')) $$;

grant execute on function note_sweep(bigint, boolean, double precision) to diary_worker;
grant execute on function kept_times() to diary_worker, diary_admin;
grant execute on function admin_new_epoch(timestamptz), admin_release_kept(timestamptz) to diary_admin;
-- `diary objects orphans` and `diary restore-check` ask what the sweeper asks.
grant execute on function sweep_orphans(text[], uuid[], uuid[], uuid[]) to diary_admin, diary_backup;
