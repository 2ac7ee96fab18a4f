-- Jobs of many accounts are leased, begun and ended in batches. The statements for one job took 0.9 ms of Postgres: more than half of it to begin and
-- end it, and a claim leased each by a statement of its own.

-- As before (0019), in floating point: `extract` is numeric since Postgres 14, and a power of numerics takes microseconds for each account of a claim.
create or replace function faded(seconds double precision, at timestamptz) returns double precision
    language sql
    as $$
        select seconds * power(0.5::double precision, least(greatest(extract(epoch from clock_timestamp() - at)::double precision, 0) / 600, 500))
    $$;

-- Leases those of the jobs that are ready and that no other transaction holds at this moment. The state is an expression, so that the planner finds
-- a row by its key, not in an index of ready jobs, which is small by its statistics (0059).
create function lease_jobs(of_ids uuid[], worker text, lease_seconds double precision) returns setof jobs
    language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
begin
    return query
        update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
            lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
        where j.id = any (array(select r.id from public.jobs r where r.id = any (of_ids) for update skip locked))
            and j.state || '' = 'ready' and j.run_at <= clock_timestamp()
        returning j.*;
end $$;

-- As before (0063), but jobs are chosen first and leased together, and an account that comes later has fewer read ahead.
-- Leases ready jobs to a worker. Claims of one queue come one after the other: each counts what the one before took.
-- `account_most`: jobs of one account that the worker runs at once; `long_most`: long jobs that it may take now; `heavy_most`: jobs that it runs at
-- once of accounts that are not light, and long ones.
-- `ended_apps`, `ended_accounts`, `ended_classes`, `ended_ms`: milliseconds that ended jobs took beyond their estimates, and whose and of which
-- class they were.
create or replace function claim_due_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int, heavy_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_classes bigint[], ended_ms bigint[]
) returns setof jobs
    language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
declare
    -- As in `next_job`: accounts of an app that one claim looks at, from two places; seconds of use below which an account comes first; and apps
    -- that have used a class least, among which it looks. Of more apps the others are asked by `next_job` when these have nothing left.
    looked_at constant int := 100;
    light_seconds constant double precision := 5;
    near_apps constant int := 10;
    class int;
    claimed public.jobs;
    long_left int := long_most;
    heavy_left int;
    taken int := 0;
    has_suspect boolean;
    has_any_suspect boolean;
    -- The accounts that wait, an element for each; `app_place` counts apps of both classes.
    classes int[];
    apps uuid[];
    accounts uuid[];
    uses double precision[];
    running int[];
    app_places int[];
    orders double precision[];
    is_out boolean[];
    -- By app place, and by class (0 and 1, hence one more).
    app_uses double precision[];
    class_uses double precision[];
    has_more boolean[];
    place int;
    -- Jobs that were read ahead, those of an account together, and by place the first and the last of an account's that are left, and whether it has
    -- more.
    job_ids uuid[];
    job_crashes int[];
    job_costs real[];
    firsts int[];
    lasts int[];
    is_cut boolean[];
    ahead int;
    more int;
    cost real;
    -- Jobs that are leased next, together, and those that have been: in which place and at which cost they were counted.
    chosen uuid[];
    chosen_places int[];
    chosen_costs real[];
    leased uuid[];
    leased_places int[] := '{}';
    leased_costs real[] := '{}';
    -- What was counted before any job of this claim, and how many leased ones must be counted anew since.
    first_uses double precision[];
    first_app_uses double precision[];
    first_class_uses double precision[];
    first_running int[];
    first_heavy_left int;
    recounted int := 0;
    -- An account may wait in both classes; its jobs count in both.
    has_both_classes boolean;
begin
    -- The worker's lock first: its other queues count its jobs that may have crashed, too.
    perform pg_advisory_xact_lock(hashtextextended(worker, 0));
    perform pg_advisory_xact_lock(hashtextextended('claims of ' || of_queue, 0));
    perform charge_queues(
        array_agg(use_class(of_queue, e.class)), array_agg(e.subject), array_agg(e.seconds)) from (
        select j.class::int, sum(j.ms) / 1000.0 as seconds,
            case level when 0 then 0 when 1 then use_subject(j.app) else use_subject(j.app, j.account) end as subject
        from unnest(ended_apps, ended_accounts, ended_classes, ended_ms) as j (app, account, class, ms), generate_series(0, 2) level
        group by 1, 3) e;
    has_any_suspect := exists (select from public.jobs h where h.lease_until is not null and h.leased_by = worker and h.crashes > 0);
    -- A mail runs no program that could crash the worker: it waits for no suspect of another queue, which may be an hour of recognition, but with
    -- its last crash but one, lest a job that crashes each worker takes it along.
    has_suspect := has_any_suspect and (of_queue <> 'mail' or exists (
        select from public.jobs h
        where h.lease_until is not null and h.leased_by = worker and h.crashes > 0 and h.kind = any (of_kinds)));

    with waiting as (
        select c.n as class, w.app, coalesce(faded(u.seconds, u.at), 0) as use, random() as tie
        from generate_series(0, case when long_most > 0 then 1 else 0 end) as c (n)
            cross join lateral waiting_apps(of_kinds, c.n) as w (app)
            left join public.queue_use u on u.queue = use_class(of_queue, c.n) and u.subject = use_subject(w.app)
        -- Nothing of what is held (0035).
        where not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = w.app))),
    -- The number of an app among both classes' is its place in `app_uses`.
    numbered as (
        select w.*, row_number() over (partition by w.class order by w.use, w.tie) as rank,
            (row_number() over (order by w.class, w.use, w.tie))::int as number
        from waiting w),
    members as (
        select n.class, n.app, n.number, m.id, coalesce(faded(u.seconds, u.at), 0) as use
        from numbered n
            cross join lateral (
                with first as materialized (
                    select w as id
                    from waiting_accounts(of_kinds, n.class, n.app, '00000000-0000-0000-0000-000000000000', looked_at) w)
                select f.id from first f
                union
                select w from waiting_accounts(of_kinds, n.class, n.app, waiting_start(of_kinds, n.class, n.app), looked_at) w
                    where (select count(*) from first) >= looked_at) m
            left join public.queue_use u on u.queue = use_class(of_queue, n.class) and u.subject = use_subject(n.app, m.id)
        where n.rank <= near_apps),
    held as (
        select h.tenant_id, h.user_id, count(*)::int as n,
            count(*) filter (where h.cost > 10 or coalesce(faded(u.seconds, u.at), 0) >= light_seconds) as heavy
        from public.jobs h
            left join public.queue_use u on u.queue = use_class(of_queue, 0) and u.subject = use_subject(h.tenant_id, h.user_id)
        where h.lease_until is not null and h.leased_by = worker and h.kind = any (of_kinds)
        group by h.tenant_id, h.user_id)
    select array_agg(m.class order by m.number, m.id), array_agg(m.app order by m.number, m.id), array_agg(m.id order by m.number, m.id),
        array_agg(m.use order by m.number, m.id), array_agg(coalesce(h.n, 0) order by m.number, m.id),
        array_agg(m.number order by m.number, m.id), array_agg(random() order by m.number, m.id),
        array_agg(false order by m.number, m.id),
        (select array_agg(n.use order by n.number) from numbered n),
        array[exists (select from numbered n where n.class = 0 and n.rank > near_apps),
            exists (select from numbered n where n.class = 1 and n.rank > near_apps)],
        heavy_most - (select coalesce(sum(h.heavy), 0) from held h)
    into classes, apps, accounts, uses, running, app_places, orders, is_out, app_uses, has_more, heavy_left
    from members m left join held h on h.tenant_id = m.app and h.user_id = m.id;
    if accounts is null then return; end if;
    class_uses := array(
        select coalesce(faded(u.seconds, u.at), 0) from generate_series(0, 1) as c (n)
            left join public.queue_use u on u.queue = use_class(of_queue, c.n) and u.subject = 0
        order by c.n);

    -- The oldest jobs of the accounts that probably come first: a job of one account puts its whole app behind the others.
    with ranked as (
        select c.*, row_number() over (partition by c.class, c.app_place order by c.use >= light_seconds, c.use, c.tie) as rank
        from unnest(classes, apps, accounts, uses, running, app_places, orders)
            with ordinality as c (class, app, account, use, running, app_place, tie, place)
        where c.running < account_most and (c.class = 0 or long_left > 0) and (heavy_left > 0 or c.class = 0 and c.use < light_seconds)),
    next as (
        select c.app, c.account, c.class, c.place,
            -- One that comes later takes fewer.
            least(1 + most / row_number() over first, account_most - c.running) as jobs
        from ranked c
        window first as (order by c.rank, class_uses[c.class + 1], c.class, c.use >= light_seconds, app_uses[c.app_place], c.app_place)
        order by row_number() over first
        limit most),
    found as (
        select n.place, n.jobs, j.id, j.crashes, j.cost, row_number() over (order by n.place, j.run_at, j.id) as number
        from next n cross join lateral (
            select r.id, r.crashes, r.cost, r.run_at from unnest(of_kinds) as k (kind) cross join lateral (
                select o.id, o.crashes, o.cost, o.run_at from public.jobs o
                where o.state = 'ready' and o.kind = k.kind and (o.cost > 10)::int = n.class and o.tenant_id = n.app and o.user_id = n.account
                    and o.run_at <= clock_timestamp()
                order by o.run_at limit n.jobs) r
            order by r.run_at limit n.jobs) j),
    ends as (
        select f.place, min(f.number)::int as first, max(f.number)::int as last, count(*) = min(f.jobs) as is_cut
        from found f group by f.place)
    select (select array_agg(f.id order by f.number) from found f), (select array_agg(f.crashes order by f.number) from found f),
        (select array_agg(f.cost order by f.number) from found f),
        array_agg(coalesce(e.first, 1) order by p.place), array_agg(coalesce(e.last, 0) order by p.place),
        -- An account that was not looked at may have jobs, too.
        array_agg(coalesce(e.is_cut, n.place is null) order by p.place)
    into job_ids, job_crashes, job_costs, firsts, lasts, is_cut
    from generate_series(1, cardinality(accounts)) as p (place) left join ends e on e.place = p.place left join next n on n.place = p.place;

    has_both_classes := 0 = any (classes) and 1 = any (classes);
    first_uses := uses;
    first_app_uses := app_uses;
    first_class_uses := class_uses;
    first_running := running;
    first_heavy_left := heavy_left;

    while taken < most loop
        chosen := '{}';
        chosen_places := '{}';
        chosen_costs := '{}';
        loop
            if recounted < cardinality(leased_places) then
                recounted := recounted + 1;
                place := leased_places[recounted];
                cost := leased_costs[recounted];
            else
                exit when taken + cardinality(chosen) >= most;
                -- The class that has used the queue least: with slots for both neither keeps the other from them for good. In it light accounts,
                -- then the app, then the account that has used the class least. An account has its jobs of both classes counted against
                -- `account_most`.
                select c.place into place
                    from unnest(classes, uses, running, app_places, orders, is_out)
                        with ordinality as c (class, use, running, app_place, tie, is_out, place)
                    where not c.is_out and c.running < account_most and (c.class = 0 or long_left > 0)
                        and (heavy_left > 0 or c.class = 0 and c.use < light_seconds)
                    order by class_uses[c.class + 1], c.class, c.use >= light_seconds, app_uses[c.app_place], c.app_place, c.use, c.tie
                    limit 1;
                exit when place is null;
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice (A13).
                ahead := firsts[place];
                while ahead <= lasts[place] and (job_crashes[ahead] > 0 and has_suspect or job_crashes[ahead] > 1 and has_any_suspect) loop
                    ahead := ahead + 1;
                end loop;
                firsts[place] := ahead + 1;
                if ahead > lasts[place] then
                    -- More of the account, that are not among those read before.
                    if is_cut[place] then
                        select job_ids || array_agg(j.id order by j.run_at, j.id), job_crashes || array_agg(j.crashes order by j.run_at, j.id),
                            job_costs || array_agg(j.cost order by j.run_at, j.id), coalesce(cardinality(job_ids), 0) + 1, count(*)
                        into job_ids, job_crashes, job_costs, ahead, more
                        from unnest(of_kinds) as k (kind) cross join lateral (
                            select r.id, r.crashes, r.cost, r.run_at from public.jobs r
                            where r.state = 'ready' and r.kind = k.kind and (r.cost > 10)::int = classes[place]
                                and r.tenant_id = apps[place] and r.user_id = accounts[place] and r.run_at <= clock_timestamp()
                                and not (r.crashes > 0 and has_suspect) and not (r.crashes > 1 and has_any_suspect)
                                and r.id <> all (coalesce(job_ids, '{}'))
                            order by r.run_at limit most - taken - cardinality(chosen)) j;
                        firsts[place] := ahead;
                        lasts[place] := ahead - 1 + more;
                    end if;
                    is_out[place] := firsts[place] > lasts[place];
                    continue;
                end if;
                cost := job_costs[ahead];
                chosen := chosen || job_ids[ahead];
                chosen_places := chosen_places || place;
                chosen_costs := chosen_costs || cost;
            end if;
            class := classes[place];
            uses[place] := uses[place] + cost;
            app_uses[app_places[place]] := app_uses[app_places[place]] + cost;
            class_uses[class + 1] := class_uses[class + 1] + cost;
            if class = 1 or uses[place] >= light_seconds then heavy_left := heavy_left - 1; end if;
            long_left := long_left - class;
            running[place] := running[place] + 1;
            if has_both_classes then
                for other in 1..cardinality(accounts) loop
                    if other <> place and accounts[other] = accounts[place] and apps[other] = apps[place] then
                        running[other] := running[other] + 1;
                    end if;
                end loop;
            end if;
            -- Whether it is leased decides on the next ones.
            exit when cardinality(chosen) > 0 and job_crashes[ahead] > 0;
        end loop;

        if cardinality(chosen) = 0 then
            -- Nothing is left of the apps looked at.
            claimed := null;
            for class in
                select c.n from generate_series(0, 1) as c (n)
                where has_more[c.n + 1] and (c.n = 0 or long_left > 0 and heavy_left > 0)
            loop
                claimed := next_job(of_queue, of_kinds, class, worker, account_most, has_any_suspect, heavy_left < 1);
                exit when claimed.id is not null;
            end loop;
            exit when claimed.id is null;
            class := (claimed.cost > 10)::int;
            class_uses[class + 1] := class_uses[class + 1] + claimed.cost;
            -- The next call of `next_job` reads it.
            perform charge_queue(use_class(of_queue, class), s.subject, claimed.cost) from (
                values (0::bigint), (use_subject(claimed.tenant_id)), (use_subject(claimed.tenant_id, claimed.user_id))) as s (subject);
            if class = 1 or exists (
                select from public.queue_use u
                where u.queue = use_class(of_queue, 0) and u.subject = use_subject(claimed.tenant_id, claimed.user_id)
                    and faded(u.seconds, u.at) >= light_seconds)
            then
                heavy_left := heavy_left - 1;
            end if;
            long_left := long_left - class;
            has_suspect := has_suspect or claimed.crashes > 0;
            has_any_suspect := has_any_suspect or claimed.crashes > 0;
            taken := taken + 1;
            return query select * from lease_jobs(array[claimed.id], worker, lease_seconds);
            continue;
        end if;

        leased := '{}';
        for claimed in
            select l.* from unnest(chosen) with ordinality as c (id, place) join lease_jobs(chosen, worker, lease_seconds) l on l.id = c.id
            order by c.place
        loop
            return next claimed;
            leased := leased || claimed.id;
            has_suspect := has_suspect or claimed.crashes > 0;
            has_any_suspect := has_any_suspect or claimed.crashes > 0;
        end loop;
        taken := taken + cardinality(leased);
        for number in 1..cardinality(chosen) loop
            continue when cardinality(leased) < cardinality(chosen) and chosen[number] <> all (leased);
            leased_places := leased_places || chosen_places[number];
            leased_costs := leased_costs || chosen_costs[number];
        end loop;
        if cardinality(leased) < cardinality(chosen) then
            -- An erasure, or an operator's retry, holds the others at this moment: all are counted anew without them.
            uses := first_uses;
            app_uses := first_app_uses;
            class_uses := first_class_uses;
            running := first_running;
            heavy_left := first_heavy_left;
            long_left := long_most;
            recounted := 0;
        else
            recounted := cardinality(leased_places);
        end if;
    end loop;
    perform charge_queues(
        array_agg(use_class(of_queue, e.class)), array_agg(e.subject), array_agg(e.seconds)) from (
        select classes[c.place] as class, sum(c.cost::double precision) as seconds,
            case level when 0 then 0 when 1 then use_subject(apps[c.place]) else use_subject(apps[c.place], accounts[c.place]) end as subject
        from unnest(leased_places, leased_costs) as c (place, cost), generate_series(0, 2) level
        group by 1, 3) e;
end $$;

-- The two steps of a job on an entry's texts, for jobs of any owners at once. They run as their owner, as row-level security shows the worker one
-- owner's rows at a time; an entry is found by the leased job that names it. A job that something prevents is left out, and done
-- by the statements for one job, which answer what it is: another transaction holds one of its rows, the lease is lost, the account is closed, the
-- entry is deleted, or its texts are long (memory). They wait for no lock, so that they deadlock neither with each other nor with a heartbeat.
--
-- Rows are locked by a first statement and changed by a second one, which sees what was locked. Each is found by its key or its place (ctid): a plan
-- that joined the tables and was kept from when they were empty read millions of rows for four jobs.

-- Marks entries as being worked on (`PostgresTranscriptionStore.beginHeardEntry`) and returns them. Entries of one owner get a change number each.
-- `place`: of the job in the arguments, from 1.
create function begin_heard_entries(job_ids uuid[], attempts bigint[], running_statuses text[], stage_attempts bigint[])
    returns table (
        place bigint, entry entries, segments bytea, segments_version bigint, corrections bytea, corrections_version bigint,
        corrected_segments_version bigint, copy_object uuid, copy_bytes bigint, copy_sha256 bytea, is_original_kept boolean)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
#variable_conflict use_column
declare
    -- Of each job that takes the step: its place, its kind, and where the rows of its owner and its entry are.
    places bigint[];
    kinds text[];
    owner_rows tid[];
    entry_rows tid[];
begin
    with given as materialized (
        select g.place, g.id, g.attempt, j.tenant_id, j.user_id, j.kind, j.subject
        from unnest(job_ids, attempts) with ordinality as g (id, attempt, place)
            cross join lateral (select o.* from public.jobs o where o.id = g.id limit 1) j),
    owners as materialized (
        select o.tenant_id, o.user_id, s.row
        from (select distinct g.tenant_id, g.user_id from given g) o
            cross join lateral (
                select u.ctid as row from public.user_sync u
                where u.tenant_id = o.tenant_id and u.user_id = o.user_id and u.closed_at is null
                for update skip locked) s)
    select array_agg(g.place), array_agg(g.kind), array_agg(o.row), array_agg(e.row) into places, kinds, owner_rows, entry_rows
    from given g
        join owners o on o.tenant_id = g.tenant_id and o.user_id = g.user_id
        cross join lateral (
            select from public.jobs l where l.id = g.id and l.attempt = g.attempt and l.lease_until is not null
            for no key update skip locked) j
        cross join lateral (
            select l.ctid as row from public.entries l
            where l.tenant_id = g.tenant_id and l.user_id = g.user_id and l.id = g.subject and l.deleted_at is null
                and coalesce(octet_length(l.machine), 0) + coalesce(octet_length(l.personal), 0) < 65536
            for no key update skip locked) e
    where 65536 > coalesce((
            select octet_length(s.sealed) from public.entry_segments s
            where s.tenant_id = g.tenant_id and s.user_id = g.user_id and s.entry_id = g.subject), 0)
        and 65536 > coalesce((
            select octet_length(c.sealed) from public.segment_corrections c
            where c.tenant_id = g.tenant_id and c.user_id = g.user_id and c.entry_id = g.subject), 0);

    return query
        with held as materialized (
            select h.*, running_statuses[h.place] as status, stage_attempts[h.place] as stage_attempt
            from unnest(places, kinds, owner_rows, entry_rows) as h (place, kind, owner_row, entry_row)),
        touched as (
            update public.user_sync s set change_number = s.change_number + n.jobs
            from (select h.owner_row, count(*) as jobs from held h group by h.owner_row) n
            where s.ctid = any (owner_rows) and s.ctid = n.owner_row
            returning n.owner_row, s.change_number),
        numbered as materialized (
            select h.*, t.change_number + 1 - row_number() over (partition by h.owner_row) as number
            from held h join touched t on t.owner_row = h.owner_row),
        begun as (
            update public.entries e set status = n.status, stage = n.kind, stage_attempt = n.stage_attempt, stage_next_at = null,
                updated_at = clock_timestamp(), change_number = n.number
            from numbered n where e.ctid = any (entry_rows) and e.ctid = n.entry_row
            returning n.place, e.tenant_id, e.user_id, e.id, e as entry)
        select b.place, b.entry, s.sealed, s.version, c.sealed, c.version, c.segments_version, r.object_id, r.size_bytes, r.sha256,
            r.removed_bytes is null
        from begun b
            left join lateral (
                select l.* from public.entry_segments l
                where l.tenant_id = b.tenant_id and l.user_id = b.user_id and l.entry_id = b.id limit 1) s on true
            left join lateral (
                select l.* from public.segment_corrections l
                where l.tenant_id = b.tenant_id and l.user_id = b.user_id and l.entry_id = b.id limit 1) c on true
            left join lateral (
                select l.object_id, l.size_bytes, l.sha256, l.removed_bytes from public.entry_renditions l
                where l.tenant_id = b.tenant_id and l.user_id = b.user_id and l.entry_id = b.id limit 1) r on true;
end $$;

-- Ends jobs, writes the machine's part of their entries, and makes the next jobs ready (`PostgresTranscriptionStore.finishMachine`, for results that
-- replace no text). `keys`: each must be its owner's live key. `stages` and `next_kinds` are '' at the end of the pipeline. Returns places.
create function finish_machines(
    job_ids uuid[], attempts bigint[], keys uuid[], results bytea[], versions bigint[], statuses text[], stages text[], next_ids uuid[],
    next_kinds text[], next_cost double precision) returns setof bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
declare
    -- Of each job that takes the step: its place, and where its row and those of its owner and its entry are.
    places bigint[];
    job_rows tid[];
    owner_rows tid[];
    entry_rows tid[];
begin
    with given as materialized (
        select g.place, g.id, g.attempt, g.key, g.version, j.tenant_id, j.user_id, j.subject
        from unnest(job_ids, attempts, keys, versions) with ordinality as g (id, attempt, key, version, place)
            cross join lateral (select o.* from public.jobs o where o.id = g.id limit 1) j),
    owners as materialized (
        select o.tenant_id, o.user_id, s.row, s.key_id
        from (select distinct g.tenant_id, g.user_id from given g) o
            cross join lateral (
                select u.ctid as row, u.key_id from public.user_sync u
                where u.tenant_id = o.tenant_id and u.user_id = o.user_id and u.closed_at is null
                for update skip locked) s)
    select array_agg(g.place), array_agg(j.row), array_agg(o.row), array_agg(e.row) into places, job_rows, owner_rows, entry_rows
    from given g
        join owners o on o.tenant_id = g.tenant_id and o.user_id = g.user_id and o.key_id = g.key
        cross join lateral (
            select l.ctid as row from public.jobs l where l.id = g.id and l.attempt = g.attempt and l.lease_until is not null
            for no key update skip locked) j
        cross join lateral (
            select l.ctid as row from public.entries l
            where l.tenant_id = g.tenant_id and l.user_id = g.user_id and l.id = g.subject and l.deleted_at is null
                and l.machine_version = g.version - 1
            for no key update skip locked) e;

    return query
        with held as materialized (
            select h.*, results[h.place] as result, versions[h.place] as version, statuses[h.place] as status, nullif(stages[h.place], '') as stage,
                next_ids[h.place] as next_id, nullif(next_kinds[h.place], '') as next_kind
            from unnest(places, owner_rows, entry_rows) as h (place, owner_row, entry_row)),
        ended as (
            update public.jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
            where j.ctid = any (job_rows)),
        touched as (
            update public.user_sync s set change_number = s.change_number + n.jobs
            from (select h.owner_row, count(*) as jobs from held h group by h.owner_row) n
            where s.ctid = any (owner_rows) and s.ctid = n.owner_row
            returning n.owner_row, s.change_number),
        numbered as materialized (
            select h.*, t.change_number + 1 - row_number() over (partition by h.owner_row) as number
            from held h join touched t on t.owner_row = h.owner_row),
        written as (
            update public.entries e set status = n.status, stage = n.stage, stage_attempt = 0, stage_code = null, stage_next_at = null,
                rerun_from = case when n.stage is not null then e.rerun_from end, asked_engine = null, asked_language = null,
                machine = n.result, machine_version = n.version, updated_at = clock_timestamp(), change_number = n.number
            from numbered n where e.ctid = any (entry_rows) and e.ctid = n.entry_row
            returning n.place, e.tenant_id, e.user_id, e.id, n.next_id, n.next_kind),
        made as (
            insert into public.jobs (id, tenant_id, user_id, kind, subject, cost)
            select w.next_id, w.tenant_id, w.user_id, w.next_kind, w.id, next_cost from written w where w.next_kind is not null)
        select w.place from written w;
end $$;

grant execute on function lease_jobs(uuid[], text, double precision), begin_heard_entries(uuid[], bigint[], text[], bigint[]),
    finish_machines(uuid[], bigint[], uuid[], bytea[], bigint[], text[], text[], uuid[], text[], double precision) to diary_worker;
