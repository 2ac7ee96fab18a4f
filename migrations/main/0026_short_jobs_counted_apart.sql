-- Short and long jobs of a queue are counted apart. Counted together, the hours that one account's long recording is estimated to take kept
-- all short jobs of its app behind those of every other app.

-- The class before app and account: a claim looks for jobs of one class.
drop index jobs_ready;
create index jobs_ready on jobs (kind, ((cost > 10)::int), tenant_id, user_id, run_at) where state = 'ready';

drop function waiting_apps(text[]), waiting_accounts(text[], uuid, uuid, int), waiting_start(text[], uuid);

-- What the jobs of a class use is kept under this name; `queue_use.subject` is 0 for all of them together.
create function use_class(of_queue text, of_class int) returns text
    language sql immutable
    as $$ select of_queue || case of_class when 1 then ' long' else '' end $$;

-- Apps with ready jobs of a class (1: long): one step in the index for each, however many jobs it has. The order by all of the index' first
-- columns keeps the planner on it.
create function waiting_apps(of_kinds text[], of_class int) returns setof uuid
    language sql stable
    as $$
        with recursive apps as (
            select first.kind, first.tenant_id from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.tenant_id from public.jobs j
                where j.state = 'ready' and j.kind = k.kind and (j.cost > 10)::int = of_class
                order by j.kind, (j.cost > 10)::int, j.tenant_id limit 1) first
            union all
            select next.kind, next.tenant_id from apps a cross join lateral (
                select j.kind, j.tenant_id from public.jobs j
                where j.state = 'ready' and j.kind = a.kind and (j.cost > 10)::int = of_class and j.tenant_id > a.tenant_id
                order by j.kind, (j.cost > 10)::int, j.tenant_id limit 1) next)
        select distinct tenant_id from apps
    $$;

-- Accounts of an app with ready jobs of a class, from one account on, at most `most` for each kind.
create function waiting_accounts(of_kinds text[], of_class int, tenant uuid, first_member uuid, most int) returns setof uuid
    language sql stable
    as $$
        with recursive accounts as (
            select first.kind, first.user_id, 1 as place from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.user_id from public.jobs j
                where j.state = 'ready' and j.kind = k.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                    and j.user_id >= first_member
                order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) first
            union all
            select next.kind, next.user_id, a.place + 1 from accounts a cross join lateral (
                select j.kind, j.user_id from public.jobs j
                where j.state = 'ready' and j.kind = a.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                    and j.user_id > a.user_id
                order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) next
            where a.place < most)
        select distinct user_id from accounts
    $$;

-- Where a claim begins to look among the accounts of an app: anywhere between the first and the last in the order of their ids, which is the
-- order of their time. So that with more waiting accounts than a claim looks at each is looked at sooner or later.
create function waiting_start(of_kinds text[], of_class int, tenant uuid) returns uuid
    language sql volatile
    as $$
        select rpad(lpad(to_hex(low + floor((high - low + 1) * random())::bigint), 12, '0'), 32, '0')::uuid
        from (
            select ('x' || left(replace(min(e.low)::text, '-', ''), 12))::bit(48)::bigint as low,
                ('x' || left(replace(max(e.high)::text, '-', ''), 12))::bit(48)::bigint as high
            from unnest(of_kinds) as k (kind) cross join lateral (
                select (select j.user_id::text from public.jobs j
                        where j.state = 'ready' and j.kind = k.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                        order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) as low,
                    (select j.user_id::text from public.jobs j
                        where j.state = 'ready' and j.kind = k.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                        order by j.kind desc, (j.cost > 10)::int desc, j.tenant_id desc, j.user_id desc limit 1) as high) e) ends
    $$;

-- Ready jobs of one class, the next first: of the account that has used the class least, in the app that has. Accounts that have used less
-- than `light_seconds` of late come before all others, whatever their app has used: one short job of another account of the app, which took
-- longer than estimated, would else hold them up. null: none.
create function next_job(of_queue text, of_kinds text[], of_class int, worker text, account_most int, has_suspect boolean) returns jobs
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
            left join public.queue_use u on u.queue = class_use and u.subject = use_subject(w));
begin
    if apps is null then return null; end if;
    for is_light in reverse 1..0 loop
        foreach app in array (case is_light when 1 then apps[:light_apps] else apps end) loop
            for account in
                select a.id from (
                    select w as id from waiting_accounts(of_kinds, of_class, app, waiting_start(of_kinds, of_class, app), looked_at) w
                    union
                    select w from waiting_accounts(of_kinds, of_class, app, '00000000-0000-0000-0000-000000000000', looked_at) w) a
                    left join public.queue_use u on u.queue = class_use and u.subject = use_subject(app, a.id)
                where account_most > (select count(*) from public.jobs h
                        where h.state = 'leased' and h.leased_by = worker and h.tenant_id = app and h.user_id = a.id and h.kind = any (of_kinds))
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

-- Leases ready jobs to a worker. Claims of one queue come one after the other: each counts what the one before took.
-- `account_most`: jobs of one account that the worker runs at once; `long_most`: long jobs that it may take now.
-- `ended_apps`, `ended_accounts`, `ended_classes`, `ended_ms`: milliseconds that ended jobs took beyond their estimates, and whose and of which
-- class they were.
create function claim_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_classes bigint[], ended_ms bigint[]
) returns setof jobs
    language plpgsql
    as $$
declare
    class int;
    claimed public.jobs;
    long_left int := long_most;
    taken int := 0;
    has_suspect boolean;
begin
    -- The worker's lock first: its other queues count its jobs that may have crashed, too.
    perform pg_advisory_xact_lock(hashtextextended(worker, 0));
    perform pg_advisory_xact_lock(hashtextextended('claims of ' || of_queue, 0));
    perform charge_queue(use_class(of_queue, e.class), e.subject, sum(e.ms) / 1000.0) from (
        select j.class::int, j.ms,
            case level when 0 then 0 when 1 then use_subject(j.app) else use_subject(j.app, j.account) end as subject
        from unnest(ended_apps, ended_accounts, ended_classes, ended_ms) as j (app, account, class, ms), generate_series(0, 2) level) e
        group by e.class, e.subject;
    has_suspect := exists (select from public.jobs h where h.state = 'leased' and h.leased_by = worker and h.crashes > 0);
    while taken < most loop
        claimed := null;
        -- The class that has used the queue least: with slots for both neither keeps the other from them for good.
        for class in
            select c.n from generate_series(0, 1) as c (n)
                left join public.queue_use u on u.queue = use_class(of_queue, c.n) and u.subject = 0
            where (c.n = 0 or long_left > 0)
                and exists (select from public.jobs j where j.state = 'ready' and j.kind = any (of_kinds) and (j.cost > 10)::int = c.n)
            order by coalesce(faded(u.seconds, u.at), 0), c.n
        loop
            claimed := next_job(of_queue, of_kinds, class, worker, account_most, has_suspect);
            exit when claimed.id is not null;
        end loop;
        exit when claimed.id is null;
        update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
                lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
            where j.id = claimed.id returning * into claimed;
        class := (claimed.cost > 10)::int;
        perform charge_queue(use_class(of_queue, class), s.subject, claimed.cost) from (
            values (0::bigint), (use_subject(claimed.tenant_id)), (use_subject(claimed.tenant_id, claimed.user_id))) as s (subject);
        taken := taken + 1;
        long_left := long_left - class;
        has_suspect := has_suspect or claimed.crashes > 0;
        return next claimed;
    end loop;
end $$;

-- As processes of the version before call it. They do not say which jobs were long: one of at most ten seconds gives back no more than these.
create or replace function claim_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_ms bigint[]
) returns setof jobs
    language sql
    as $$
        select * from claim_jobs(of_queue, of_kinds, most, worker, lease_seconds, account_most, long_most, ended_apps, ended_accounts,
            array(select (ms < -10000)::int::bigint from unnest(ended_ms) with ordinality as m (ms, place) order by place), ended_ms)
    $$;

grant execute on function use_class(text, int), waiting_apps(text[], int), waiting_accounts(text[], int, uuid, uuid, int),
    waiting_start(text[], int, uuid), next_job(text, text[], int, text, int, boolean),
    claim_jobs(text, text[], int, text, double precision, int, int, uuid[], uuid[], bigint[], bigint[]) to diary_worker;
