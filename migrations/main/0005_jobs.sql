-- Jobs, the queues from which workers claim them, and the workers. A claim takes the app that has used the queue least of late, in it the
-- account that has, and of the account the oldest job (decision 0029). Use is counted in seconds of work and fades, so that neither many
-- jobs nor costly ones of one account hold up another's.

-- The record of work (decision D1). Rows hold ids only, so a worker may see them all. Kinds are listed in the service's code alone: a
-- worker claims only those it knows.
create table jobs (
    id uuid constraint jobs_pk primary key,
    tenant_id uuid not null,
    user_id uuid not null,
    kind text not null,
    -- The entry, export or mail it is about.
    subject uuid not null,
    state text not null default 'ready' constraint jobs_state check (state in ('ready', 'leased', 'done', 'dead')),
    run_at timestamptz not null default clock_timestamp(),
    -- The fencing token (decision D2): grows with every claim; every write of a worker carries it.
    attempt int not null default 0,
    -- Tries that failed, and workers that died: counted apart.
    errors int not null default 0,
    crashes int not null default 0,
    lease_until timestamptz,
    leased_by text,
    code text,
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    -- Seconds of work that the job will take, estimated when it is made. Jobs of more than ten seconds are long.
    cost real not null default 1 constraint jobs_cost check (cost >= 0),
    -- Percent of the work that is done, as the worker said with its last heartbeat; null when the job does not say.
    progress smallint constraint jobs_progress check (progress between 0 and 100),
    -- Ready, but for a later time (the next try of a mail, a budget until midnight, a paused engine): a claim looks at a bounded number of
    -- an app's accounts, and accounts without a due job must not take up these places.
    is_delayed boolean not null default false,
    constraint jobs_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint jobs_lease check ((state = 'leased') = (lease_until is not null))
) with (fillfactor = 70);

-- One living job for one piece of work.
create unique index jobs_living on jobs (tenant_id, user_id, kind, subject) where state in ('ready', 'leased');
create index jobs_leased on jobs (lease_until) where state = 'leased';
create index jobs_finished on jobs (finished_at) where state in ('done', 'dead');
-- For the foreign key: an account that goes takes its finished jobs with it.
create index jobs_by_user on jobs (tenant_id, user_id);
create index jobs_ready on jobs (kind, ((cost > 10)::int), tenant_id, user_id, run_at) where state = 'ready';
create index jobs_due on jobs (kind, ((cost > 10)::int), tenant_id, user_id) where state = 'ready' and not is_delayed;
create index jobs_delayed on jobs (kind, run_at) where state = 'ready' and is_delayed;
-- What a worker holds. No other statement's condition implies that of this index, so the planner does not take it for others' jobs.
create index jobs_held on jobs (leased_by, tenant_id, user_id) where leased_by is not null;

alter table jobs enable row level security, force row level security;
create policy jobs_owner on jobs to diary_owner using (true) with check (true);
create policy jobs_api on jobs to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy jobs_auth on jobs to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy jobs_worker on jobs to diary_worker using (true) with check (true);
grant select, insert, update on jobs to diary_api;
grant insert on jobs to diary_auth;
grant select, insert, update, delete on jobs to diary_worker;

-- Keeps `is_delayed` of a ready job.
create function set_delayed() returns trigger
    language plpgsql
    as $$
begin
    new.is_delayed := new.run_at > clock_timestamp();
    return new;
end $$;

create trigger jobs_delayed before insert or update of state, run_at on jobs
    for each row when (new.state = 'ready' and (new.is_delayed or new.run_at > clock_timestamp()))
    execute function set_delayed();

-- Ends a job whose lease still holds. It is found by its key: with `state = 'leased'` the planner takes one of the indexes of leased jobs,
-- which are small by their statistics and hold an entry of each job that was leased since the last vacuum. `lease_until is not null` says
-- the same (jobs_lease).
create function finish_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    update jobs set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
        where id = job and attempt = held_attempt and lease_until is not null;
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

-- Stops the transaction unless the lease still holds. Takes the job's lock.
create function hold_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and lease_until is not null for update;
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

-- Stops the transaction unless this lease has run out and is still the one that was seen.
create function hold_expired_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and lease_until < clock_timestamp() for update;
    if not found then
        raise exception 'the lease is alive' using errcode = 'DI410';
    end if;
end $$;

-- Worker processes, each of which reports itself every 15 seconds. Names no app and no user.
create table workers (
    -- Of one start of a process: host and process number come again, in containers always the same ones.
    id uuid constraint workers_pk primary key,
    name text not null,
    version text not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    -- Whether the worker reaches the speech server that its settings name, for /readyz: without one recordings wait.
    hears boolean not null default true
);

grant select on workers to diary_api, diary_admin;
grant select, insert, update, delete on workers to diary_worker;

-- Queues of which workers take no new jobs. What they have they finish.
create table paused_work (
    id uuid not null default gen_random_uuid() constraint paused_work_pk primary key,
    queue text not null,
    -- Of one app; null of all.
    app uuid constraint paused_work_app_fk references tenants (id) on delete cascade,
    at timestamptz not null default clock_timestamp(),
    operator text not null constraint paused_work_operator check (char_length(operator) between 1 and 100)
);

create unique index paused_work_of_all on paused_work (queue) where app is null;
create unique index paused_work_of_app on paused_work (queue, app) where app is not null;

grant select on paused_work to diary_worker;

-- What an app or an account has used of a queue. `subject` is a hash of its ids; nothing refers to it, and a row is deleted a day after its
-- last use. Unlogged: after a crash of the server all begin with nothing used.
create unlogged table queue_use (
    queue text not null,
    subject bigint not null,
    -- Seconds of work, as they counted at `at`.
    seconds double precision not null,
    at timestamptz not null default clock_timestamp(),
    constraint queue_use_pk primary key (queue, subject)
) with (fillfactor = 50);

grant select, insert, update on queue_use to diary_worker;

-- The key of an app, or of an account of it, in `queue_use`.
create function use_subject(tenant uuid, member uuid default null) returns bigint
    language sql immutable
    as $$ select hashtextextended(tenant::text || coalesce(member::text, ''), 0) $$;

-- What the jobs of a class use is kept under this name; `queue_use.subject` is 0 for all of them together.
create function use_class(of_queue text, of_class int) returns text
    language sql immutable
    as $$ select of_queue || case of_class when 1 then ' long' else '' end $$;

-- Use halves in ten minutes. The exponent is bounded: power() raises an error on underflow. In floating point: `extract` is numeric, and a
-- power of numerics takes microseconds for each account of a claim.
create function faded(seconds double precision, at timestamptz) returns double precision
    language sql
    as $$
        select seconds * power(0.5::double precision,
            least(greatest(extract(epoch from clock_timestamp() - at)::double precision, 0) / 600, 500))
    $$;

-- Adds to the use of a subject; a negative number corrects an estimate that was too high.
create function charge_queue(of_queue text, of_subject bigint, more double precision) returns void
    language sql
    as $$
        insert into public.queue_use as u (queue, subject, seconds) values (of_queue, of_subject, greatest(more, 0))
        on conflict (queue, subject) do update set seconds = greatest(faded(u.seconds, u.at) + more, 0), at = clock_timestamp()
    $$;

-- As `charge_queue`, for many subjects in one statement; none of them twice. Called under the lock of the queue's claims.
create function charge_queues(of_queues text[], of_subjects bigint[], more double precision[]) returns void
    language plpgsql
    -- Planning a statement of a claim anew each time takes longer than running it.
    set plan_cache_mode = force_generic_plan
    as $$
begin
    if of_queues is null then return; end if;
    with charges as (
        select c.* from unnest(of_queues, of_subjects, more) as c (queue, subject, seconds)),
    known as (
        update public.queue_use u set seconds = greatest(faded(u.seconds, u.at) + c.seconds, 0), at = clock_timestamp()
        from charges c where u.queue = c.queue and u.subject = c.subject
        returning u.queue, u.subject)
    insert into public.queue_use (queue, subject, seconds)
    select c.queue, c.subject, greatest(c.seconds, 0) from charges c
    where not exists (select from known k where k.queue = c.queue and k.subject = c.subject)
    on conflict on constraint queue_use_pk do nothing;
end $$;

-- Jobs of these kinds whose time has come are looked at from now on. Some hundred of them for each claim, the longest waiting first.
create function end_delays(of_kinds text[]) returns void
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

-- Apps with due jobs of a class (1: long): one step in the index for each, however many jobs it has. The order by all of the index' first
-- columns keeps the planner on it.
create function waiting_apps(of_kinds text[], of_class int) returns setof uuid
    language sql stable
    as $$
        with recursive apps as (
            select first.kind, first.tenant_id from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.tenant_id from public.jobs j
                where j.state = 'ready' and not j.is_delayed and j.kind = k.kind and (j.cost > 10)::int = of_class
                order by j.kind, (j.cost > 10)::int, j.tenant_id limit 1) first
            union all
            select next.kind, next.tenant_id from apps a cross join lateral (
                select j.kind, j.tenant_id from public.jobs j
                where j.state = 'ready' and not j.is_delayed and j.kind = a.kind and (j.cost > 10)::int = of_class
                    and j.tenant_id > a.tenant_id
                order by j.kind, (j.cost > 10)::int, j.tenant_id limit 1) next)
        select distinct tenant_id from apps
    $$;

-- Accounts of an app with due jobs of a class, from one account on, at most `most` for each kind.
create function waiting_accounts(of_kinds text[], of_class int, tenant uuid, first_member uuid, most int) returns setof uuid
    language sql stable
    as $$
        with recursive accounts as (
            select first.kind, first.user_id, 1 as place from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.user_id from public.jobs j
                where j.state = 'ready' and not j.is_delayed and j.kind = k.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                    and j.user_id >= first_member
                order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) first
            union all
            select next.kind, next.user_id, a.place + 1 from accounts a cross join lateral (
                select j.kind, j.user_id from public.jobs j
                where j.state = 'ready' and not j.is_delayed and j.kind = a.kind and (j.cost > 10)::int = of_class and j.tenant_id = tenant
                    and j.user_id > a.user_id
                order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) next
            where a.place < most)
        select distinct user_id from accounts
    $$;

-- Where a claim begins to look among the accounts of an app: anywhere between the first and the last in the order of their ids, which is
-- the order of their time. So that with more waiting accounts than a claim looks at each is looked at sooner or later.
create function waiting_start(of_kinds text[], of_class int, tenant uuid) returns uuid
    language sql volatile
    as $$
        select rpad(lpad(to_hex(low + floor((high - low + 1) * random())::bigint), 12, '0'), 32, '0')::uuid
        from (
            select ('x' || left(replace(min(e.low)::text, '-', ''), 12))::bit(48)::bigint as low,
                ('x' || left(replace(max(e.high)::text, '-', ''), 12))::bit(48)::bigint as high
            from unnest(of_kinds) as k (kind) cross join lateral (
                select (select j.user_id::text from public.jobs j
                        where j.state = 'ready' and not j.is_delayed and j.kind = k.kind and (j.cost > 10)::int = of_class
                            and j.tenant_id = tenant
                        order by j.kind, (j.cost > 10)::int, j.tenant_id, j.user_id limit 1) as low,
                    (select j.user_id::text from public.jobs j
                        where j.state = 'ready' and not j.is_delayed and j.kind = k.kind and (j.cost > 10)::int = of_class
                            and j.tenant_id = tenant
                        order by j.kind desc, (j.cost > 10)::int desc, j.tenant_id desc, j.user_id desc limit 1) as high) e) ends
    $$;

-- The next due job of one class: of the account that has used the class least, in the app that has. Accounts that have used less than
-- `light_seconds` of late come before all others, whatever their app has used: one short job of another account of the app, which took
-- longer than estimated, would else hold them up. `only_light`: of light accounts of all apps alone. Nothing of what is held. null: none.
create function next_job(
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
                        where h.lease_until is not null and h.leased_by = worker and h.tenant_id = app and h.user_id = a.id
                            and h.kind = any (of_kinds))
                    and (is_light = 0 or coalesce(faded(u.seconds, u.at), 0) < light_seconds)
                order by coalesce(faded(u.seconds, u.at), 0), random()
            loop
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice.
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

-- Leases due jobs to a worker. Claims of one queue come one after the other: each counts what the one before took.
-- `account_most`: jobs of one account that the worker runs at once; `long_most`: long jobs that it may take now; `heavy_most`: jobs that it
-- runs at once of accounts that are not light, and long ones. `ended_apps`, `ended_accounts`, `ended_classes`, `ended_ms`: milliseconds
-- that ended jobs took beyond their estimates, and whose and of which class they were.
-- The claim reads at once the jobs among which it chooses, and hands out all its slots from what it saw: the order is kept by counting what
-- the claim itself hands out. Its statements are planned once for each session. `enable_seqscan = off`: a plan that was kept from when the
-- table was small would read all of it.
-- After a worker has died, each job that it ran may have crashed it: such jobs run one at a time for each worker, so that no other crashes
-- with one twice. A mail does not wait for them.
create function claim_due_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int, heavy_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_classes bigint[], ended_ms bigint[]
) returns setof jobs
    language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    as $$
declare
    -- As in `next_job`: accounts of an app that one claim looks at, from two places; seconds of use below which an account comes first; and
    -- apps that have used a class least, among which it looks. Of more apps the others are asked by `next_job` when these have nothing
    -- left.
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
    -- Jobs that were read ahead, those of an account together, and by place the first and the last of an account's that are left, and
    -- whether it has more.
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
    -- A mail runs no program that could crash the worker: it waits for no suspect of another queue, which may be an hour of recognition,
    -- but with its last crash but one, lest a job that crashes each worker takes it along.
    has_suspect := has_any_suspect and (of_queue <> 'mail' or exists (
        select from public.jobs h
        where h.lease_until is not null and h.leased_by = worker and h.crashes > 0 and h.kind = any (of_kinds)));

    with waiting as (
        select c.n as class, w.app, coalesce(faded(u.seconds, u.at), 0) as use, random() as tie
        from generate_series(0, case when long_most > 0 then 1 else 0 end) as c (n)
            cross join lateral waiting_apps(of_kinds, c.n) as w (app)
            left join public.queue_use u on u.queue = use_class(of_queue, c.n) and u.subject = use_subject(w.app)
        -- Nothing of what is held.
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
                where o.state = 'ready' and o.kind = k.kind and (o.cost > 10)::int = n.class
                    and o.tenant_id = n.app and o.user_id = n.account and o.run_at <= clock_timestamp()
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
                -- The class that has used the queue least: with slots for both neither keeps the other from them for good. In it light
                -- accounts, then the app, then the account that has used the class least. An account has its jobs of both classes counted
                -- against `account_most`.
                select c.place into place
                    from unnest(classes, uses, running, app_places, orders, is_out)
                        with ordinality as c (class, use, running, app_place, tie, is_out, place)
                    where not c.is_out and c.running < account_most and (c.class = 0 or long_left > 0)
                        and (heavy_left > 0 or c.class = 0 and c.use < light_seconds)
                    order by class_uses[c.class + 1], c.class, c.use >= light_seconds, app_uses[c.app_place], c.app_place, c.use, c.tie
                    limit 1;
                exit when place is null;
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice.
                ahead := firsts[place];
                while ahead <= lasts[place] and (job_crashes[ahead] > 0 and has_suspect or job_crashes[ahead] > 1 and has_any_suspect) loop
                    ahead := ahead + 1;
                end loop;
                firsts[place] := ahead + 1;
                if ahead > lasts[place] then
                    -- More of the account, that are not among those read before.
                    if is_cut[place] then
                        select job_ids || array_agg(j.id order by j.run_at, j.id),
                            job_crashes || array_agg(j.crashes order by j.run_at, j.id),
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
            case level
                when 0 then 0 when 1 then use_subject(apps[c.place]) else use_subject(apps[c.place], accounts[c.place]) end as subject
        from unnest(leased_places, leased_costs) as c (place, cost), generate_series(0, 2) level
        group by 1, 3) e;
end $$;

-- What workers call: jobs whose time has come are marked as due first.
create function claim_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int, heavy_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_classes bigint[], ended_ms bigint[]
) returns setof jobs
    language plpgsql
    as $$
begin
    perform end_delays(of_kinds);
    return query select * from claim_due_jobs(
        of_queue, of_kinds, most, worker, lease_seconds, account_most, long_most, heavy_most,
        ended_apps, ended_accounts, ended_classes, ended_ms);
end $$;

-- Leases those of the jobs that are ready and that no other transaction holds at this moment. The state is an expression, so that the
-- planner finds a row by its key, not in an index of ready jobs, which is small by its statistics.
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

-- The two steps of a job on an entry's texts, for jobs of any owners at once (decision 0057). They run as their owner, as row-level
-- security shows the worker one owner's rows at a time; an entry is found by the leased job that names it. A job that something prevents is
-- left out, and done by the statements for one job, which answer what it is: another transaction holds one of its rows, the lease is lost,
-- the account is closed, the entry is deleted, or its texts are long (memory). They wait for no lock, so that they deadlock neither with
-- each other nor with a heartbeat.
--
-- Rows are locked by a first statement and changed by a second one, which sees what was locked. Each is found by its key or its place
-- (ctid): a plan that joins the tables and was kept from when they were empty reads millions of rows for four jobs.
--
-- Marks entries as being worked on (`PostgresTranscriptionStore.beginHeardEntry`) and returns them. Entries of one owner get a change
-- number each. `place`: of the job in the arguments, from 1.
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

-- Ends jobs, writes the machine's part of their entries, and makes the next jobs ready (`PostgresTranscriptionStore.finishMachine`, for
-- results that replace no text). `keys`: each must be its owner's live key. `stages` and `next_kinds` are '' at the end of the pipeline.
-- Returns places.
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
            select h.*, results[h.place] as result, versions[h.place] as version, statuses[h.place] as status,
                nullif(stages[h.place], '') as stage, next_ids[h.place] as next_id, nullif(next_kinds[h.place], '') as next_kind
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

-- Where an entry of the transaction's account stands: its place among the account's own recordings that wait for the same stage (1 is
-- next), an estimate of the seconds until it begins, and percent of the work that is done. No row without a job. Looks at 1,000 jobs of the
-- account, 100 accounts of the app, and one job of each other app. The estimate: the work of the account's jobs before it, shared out with
-- the accounts and apps that wait, by what runs now. Unknown (null) while the queue is held, no worker is alive, none works on what is
-- waiting, or the stage is tried again later.
create function queue_place(entry uuid, of_stage text, of_queue text, alive_seconds double precision)
    returns table (place int, wait_seconds double precision, percent int)
    -- Strict: an entry that waits for nothing is null here, and costs nothing.
    language plpgsql stable strict rows 1 security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    own public.jobs;
    class int;
    seconds double precision;
    sharing double precision;
    running bigint;
begin
    select j.* into own from public.jobs j
        where j.tenant_id = public.current_tenant() and j.user_id = public.current_member() and j.kind = of_stage and j.subject = entry
            and j.state in ('ready', 'leased');
    if own.id is null then return; end if;
    if own.state = 'leased' then
        percent := own.progress;
        return next;
        return;
    end if;
    if own.run_at > clock_timestamp() then
        return next;
        return;
    end if;
    class := (own.cost > 10)::int;
    select count(*) + 1, coalesce(sum(b.cost), 0) into place, seconds from (
        select j.cost from public.jobs j
        where j.state = 'ready' and j.kind = of_stage and (j.cost > 10)::int = class
            and j.tenant_id = own.tenant_id and j.user_id = own.user_id and j.run_at < own.run_at
        order by j.run_at limit 1000) b;
    if exists (select from public.workers w where w.seen_at > clock_timestamp() - make_interval(secs => alive_seconds))
        and not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = own.tenant_id)) then
        sharing := (select greatest(count(*), 1) from public.waiting_apps(array[of_stage], class))
            * (select greatest(count(*), 1)
                from public.waiting_accounts(array[of_stage], class, own.tenant_id, '00000000-0000-0000-0000-000000000000', 100));
        select count(*) into running from (
            select from public.jobs j where j.state = 'leased' and j.kind = of_stage and j.lease_until > clock_timestamp() limit 1000) r;
        wait_seconds := case
            when running > 0 then ((seconds + own.cost) * sharing - own.cost) / running
            when place = 1 and sharing = 1 then 0 end;
    end if;
    return next;
end $$;

grant execute on function finish_job, hold_job, hold_expired_job, use_subject, use_class, faded, charge_queue, charge_queues, end_delays,
    waiting_apps, waiting_accounts, waiting_start, next_job, claim_due_jobs, claim_jobs, lease_jobs, begin_heard_entries, finish_machines to
    diary_worker;
grant execute on function queue_place to diary_api;
