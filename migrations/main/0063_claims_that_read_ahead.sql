-- A claim reads the jobs from which it chooses at once, and its statements are planned once for each session. Until now it looked for each job apart,
-- and Postgres planned most of its statements anew for each claim: most of the 0.3 to 0.9 ms that a job's claim took.
-- A kept plan must not be that of a table that was small when it was analysed: without `enable_seqscan = off` a claim took 19 s from 30,000 jobs.

-- What a worker holds: found by an index whose condition no other statement implies. By `state = 'leased'` the planner took one of all living jobs,
-- which is small by its statistics and holds an entry of each job that has been ready since the last vacuum (as in 0059).
drop index jobs_running;
create index jobs_held on jobs (leased_by, tenant_id, user_id) where leased_by is not null;

-- As before (0054), planned once.
create or replace function end_delays(of_kinds text[]) returns void
    language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
begin
    update public.jobs j set is_delayed = false
    where j.id = any (array(
        select d.id from unnest(of_kinds) as k (kind) cross join lateral (
            select r.id, r.run_at from public.jobs r
            where r.state = 'ready' and r.is_delayed and r.kind = k.kind and r.run_at <= clock_timestamp()
            order by r.kind, r.run_at limit 500 for update skip locked) d));
end $$;

-- As before (0052), but for the index.
create or replace function next_job(
    of_queue text, of_kinds text[], of_class int, worker text, account_most int, has_suspect boolean, only_light boolean) returns jobs
    language plpgsql
    as $$
declare
    -- Accounts of an app that one claim looks at.
    looked_at constant int := 100;
    light_seconds constant double precision := 5;
    -- Apps in which it looks for light accounts first: those that have used the class least.
    light_apps constant int := 10;
    app uuid;
    account uuid;
    found public.jobs;
    class_use constant text := use_class(of_queue, of_class);
    apps constant uuid[] := (
        select array_agg(w order by coalesce(faded(u.seconds, u.at), 0), random()) from waiting_apps(of_kinds, of_class) w
            left join public.queue_use u on u.queue = class_use and u.subject = use_subject(w)
        where not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = w)));
begin
    if apps is null then return null; end if;
    for is_light in reverse 1..(case when only_light then 1 else 0 end) loop
        foreach app in array (case when is_light = 1 and not only_light then apps[:light_apps] else apps end) loop
            for account in
                select a.id from (
                    select w as id from waiting_accounts(of_kinds, of_class, app, waiting_start(of_kinds, of_class, app), looked_at) w
                    union
                    select w from waiting_accounts(of_kinds, of_class, app, '00000000-0000-0000-0000-000000000000', looked_at) w) a
                    left join public.queue_use u on u.queue = class_use and u.subject = use_subject(app, a.id)
                where account_most > (select count(*) from public.jobs h
                        where h.lease_until is not null and h.leased_by = worker and h.tenant_id = app and h.user_id = a.id and h.kind = any (of_kinds))
                    and (is_light = 0 or coalesce(faded(u.seconds, u.at), 0) < light_seconds)
                order by coalesce(faded(u.seconds, u.at), 0), random()
            loop
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice (A13).
                select j.* into found from unnest(of_kinds) as k (kind) cross join lateral (
                    select r.* from public.jobs r where r.state = 'ready' and r.kind = k.kind and (r.cost > 10)::int = of_class
                        and r.tenant_id = app and r.user_id = account
                        and r.run_at <= clock_timestamp() and not (r.crashes > 0 and has_suspect)
                    order by r.run_at limit 1 for update skip locked) j
                order by j.run_at limit 1;
                if found.id is not null then return found; end if;
            end loop;
        end loop;
    end loop;
    return null;
end $$;

-- As before (0053, which 0054 has named `claim_due_jobs`), but for what is read ahead.
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
    firsts int[];
    lasts int[];
    is_cut boolean[];
    ahead int;
    charged_classes int[] := '{}';
    charged_subjects bigint[] := '{}';
    charged_seconds double precision[] := '{}';
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
        select c.app, c.account, c.class, c.place, least(most, account_most - c.running) as jobs from ranked c
        order by c.rank, class_uses[c.class + 1], c.class, c.use >= light_seconds, app_uses[c.app_place], c.app_place
        limit most),
    found as (
        select n.place, n.jobs, j.id, j.crashes, row_number() over (order by n.place, j.run_at, j.id) as number
        from next n cross join lateral (
            select r.id, r.crashes, r.run_at from unnest(of_kinds) as k (kind) cross join lateral (
                select o.id, o.crashes, o.run_at from public.jobs o
                where o.state = 'ready' and o.kind = k.kind and (o.cost > 10)::int = n.class and o.tenant_id = n.app and o.user_id = n.account
                    and o.run_at <= clock_timestamp()
                order by o.run_at limit n.jobs) r
            order by r.run_at limit n.jobs) j),
    ends as (
        select f.place, min(f.number)::int as first, max(f.number)::int as last, count(*) = min(f.jobs) as is_cut
        from found f group by f.place)
    select (select array_agg(f.id order by f.number) from found f), (select array_agg(f.crashes order by f.number) from found f),
        array_agg(coalesce(e.first, 1) order by p.place), array_agg(coalesce(e.last, 0) order by p.place),
        -- An account that was not looked at may have jobs, too.
        array_agg(coalesce(e.is_cut, n.place is null) order by p.place)
    into job_ids, job_crashes, firsts, lasts, is_cut
    from generate_series(1, cardinality(accounts)) as p (place) left join ends e on e.place = p.place left join next n on n.place = p.place;

    while taken < most loop
        -- The class that has used the queue least: with slots for both neither keeps the other from them for good. In it light accounts, then
        -- the app, then the account that has used the class least. An account has its jobs of both classes counted against `account_most`.
        select c.place into place
            from unnest(classes, uses, running, app_places, orders, is_out)
                with ordinality as c (class, use, running, app_place, tie, is_out, place)
            where not c.is_out and c.running < account_most and (c.class = 0 or long_left > 0)
                and (heavy_left > 0 or c.class = 0 and c.use < light_seconds)
            order by class_uses[c.class + 1], c.class, c.use >= light_seconds, app_uses[c.app_place], c.app_place, c.use, c.tie
            limit 1;
        claimed := null;
        if place is null then
            -- Nothing is left of the apps looked at.
            for class in
                select c.n from generate_series(0, 1) as c (n)
                where has_more[c.n + 1] and (c.n = 0 or long_left > 0 and heavy_left > 0)
            loop
                claimed := next_job(of_queue, of_kinds, class, worker, account_most, has_any_suspect, heavy_left < 1);
                exit when claimed.id is not null;
            end loop;
            exit when claimed.id is null;
        else
            -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice (A13).
            while firsts[place] <= lasts[place] loop
                ahead := firsts[place];
                firsts[place] := ahead + 1;
                continue when job_crashes[ahead] > 0 and has_suspect or job_crashes[ahead] > 1 and has_any_suspect;
                -- Not one that an erasure, or an operator's retry, holds at this moment. The state is an expression, so that the planner finds the row by its
                -- key, not in an index of ready jobs, which is small by its statistics (0059).
                update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
                        lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
                    where j.id = (select r.id from public.jobs r where r.id = job_ids[ahead] for update skip locked)
                        and j.state || '' = 'ready' and j.run_at <= clock_timestamp()
                    returning * into claimed;
                exit when claimed.id is not null;
            end loop;
            if claimed.id is null and is_cut[place] then
                select j.* into claimed from unnest(of_kinds) as k (kind) cross join lateral (
                    select r.* from public.jobs r
                    where r.state = 'ready' and r.kind = k.kind and (r.cost > 10)::int = classes[place]
                        and r.tenant_id = apps[place] and r.user_id = accounts[place]
                        and r.run_at <= clock_timestamp() and not (r.crashes > 0 and has_suspect) and not (r.crashes > 1 and has_any_suspect)
                    order by r.run_at limit 1 for update skip locked) j
                order by j.run_at limit 1;
            end if;
            if claimed.id is null then
                is_out[place] := true;
                continue;
            end if;
        end if;
        if claimed.state = 'ready' then
            update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
                    lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
                where j.id = claimed.id returning * into claimed;
        end if;
        class := (claimed.cost > 10)::int;
        class_uses[class + 1] := class_uses[class + 1] + claimed.cost;
        if place is null then
            -- The next call of `next_job` reads it.
            perform charge_queue(use_class(of_queue, class), s.subject, claimed.cost) from (
                values (0::bigint), (use_subject(claimed.tenant_id)), (use_subject(claimed.tenant_id, claimed.user_id))) as s (subject);
        else
            uses[place] := uses[place] + claimed.cost;
            app_uses[app_places[place]] := app_uses[app_places[place]] + claimed.cost;
            for other in 1..cardinality(accounts) loop
                if accounts[other] = claimed.user_id and apps[other] = claimed.tenant_id then running[other] := running[other] + 1; end if;
            end loop;
            charged_classes := charged_classes || array[class, class, class];
            charged_subjects := charged_subjects
                || array[0::bigint, use_subject(claimed.tenant_id), use_subject(claimed.tenant_id, claimed.user_id)];
            charged_seconds := charged_seconds || array[claimed.cost, claimed.cost, claimed.cost]::double precision[];
        end if;
        taken := taken + 1;
        long_left := long_left - class;
        if class = 1 or place is not null and uses[place] >= light_seconds
            or place is null and exists (
                select from public.queue_use u
                where u.queue = use_class(of_queue, 0) and u.subject = use_subject(claimed.tenant_id, claimed.user_id)
                    and faded(u.seconds, u.at) >= light_seconds)
        then
            heavy_left := heavy_left - 1;
        end if;
        has_suspect := has_suspect or claimed.crashes > 0;
        has_any_suspect := has_any_suspect or claimed.crashes > 0;
        return next claimed;
    end loop;
    perform charge_queues(
        array_agg(use_class(of_queue, c.class)), array_agg(c.subject), array_agg(c.seconds)) from (
        select u.class, u.subject, sum(u.seconds) as seconds
        from unnest(charged_classes, charged_subjects, charged_seconds) as u (class, subject, seconds)
        group by u.class, u.subject) c;
end $$;
