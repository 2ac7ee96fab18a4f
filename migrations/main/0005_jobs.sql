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
-- By a hash of the account: ids are in the order of their time, and a claim that begins at a random id would seldom begin among those of one day.
create index jobs_due on jobs (kind, (cost > 10), tenant_id, uuid_hash_extended(user_id, 0), (crashes > 0), run_at)
    where state = 'ready' and not is_delayed;
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

-- Failed jobs stay for 30 days, since an operator may try them again.
create function sweep_jobs(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('jobs', $$
        state in ('done', 'dead') and finished_at < statement_timestamp() - interval '7 days'
            and (state = 'done' or finished_at < statement_timestamp() - interval '30 days')
    $$, most);

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

-- Seconds of work that an app or an account has used of a queue, short and long jobs apart. `subject` is a hash of its ids; nothing refers to it,
-- and a row is deleted a day after its last use. Unlogged: after a crash of the server all begin with nothing used.
create unlogged table queue_use (
    queue text not null,
    is_long boolean not null,
    subject bigint not null,
    -- As they counted at `at`.
    seconds double precision not null,
    at timestamptz not null default clock_timestamp(),
    constraint queue_use_pk primary key (queue, is_long, subject)
) with (fillfactor = 50);
grant select, insert, update on queue_use to diary_worker;

create function sweep_queue_use(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('queue_use', $$at < statement_timestamp() - interval '1 day'$$, most);

-- The key of an app, or of an account of it, in `queue_use`.
create function use_subject(tenant uuid, member uuid default null) returns bigint
    language sql immutable
    as $$ select hashtextextended(tenant::text || coalesce(member::text, ''), 0) $$;

-- What seconds of use count now: half after ten minutes. The exponent is bounded: power() raises an error on underflow. In floating point, because
-- a power of numerics takes microseconds.
create view queue_used with (security_invoker) as
    select queue, is_long, subject,
        seconds * power(0.5::float8, least(greatest(extract(epoch from clock_timestamp() - at)::float8, 0) / 600, 500)) as seconds
    from queue_use;

-- Jobs that a claim may take, by the columns of the index `jobs_due`.
create view due_jobs with (security_invoker) as
    select kind, cost > 10 as is_long, tenant_id, uuid_hash_extended(user_id, 0) as account_hash, user_id, crashes > 0 as is_suspect, run_at, id,
        cost::float8 as cost, crashes
    from jobs where state = 'ready' and not is_delayed;

-- Adds seconds of work to what accounts and their apps have used of a queue; negative ones correct estimates that were too high.
create function charge_queue(of_queue text, of_long boolean, apps uuid[], accounts uuid[], seconds double precision[]) returns void
    language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off
    as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('claims of ' || of_queue || of_long, 0));
    insert into public.queue_use (queue, is_long, subject, seconds)
    select of_queue, of_long, s.subject, greatest(0, sum(c.seconds) + coalesce((
        select u.seconds from public.queue_used u where (u.queue, u.is_long, u.subject) = (of_queue, of_long, s.subject)), 0))
    from unnest(apps, accounts, seconds) as c (app, account, seconds),
        lateral (values (use_subject(c.app)), (use_subject(c.app, c.account))) as s (subject)
    group by s.subject
    on conflict on constraint queue_use_pk do update set seconds = excluded.seconds, at = excluded.at;
end $$;

-- Accounts with due jobs: of each app (of more than five fewer of each) up to `most` from a place on that is chosen by chance, so that of more each
-- is looked at sooner or later, and up to `most` of those before it. One step in the index `jobs_due` for each, however many jobs it has: the
-- order by its first columns keeps the planner on it, whatever the statistics say, as the functions that ask forbid it to sort.
create function due_accounts(of_kinds text[], of_long boolean, most int) returns table (app uuid, account uuid)
    language sql stable
    as $$
        with recursive apps as (
            select k.kind, '00000000-0000-0000-0000-000000000000'::uuid as tenant_id from unnest(of_kinds) as k (kind)
            union all
            select n.* from apps a cross join lateral (
                select j.kind, j.tenant_id from public.due_jobs j where j.kind = a.kind and j.is_long = of_long and j.tenant_id > a.tenant_id
                order by j.kind, j.is_long, j.tenant_id, j.account_hash limit 1) n),
        accounts as (
            select a.kind, a.tenant_id, null::uuid as user_id, r.account_hash, r.last,
                least(most, greatest(10, 12 * most / count(*) over ())) as more
            from apps a, (select ((random() - 0.5) * 1.8446744073709552e19)::bigint as start) s,
                lateral (values (s.start, 9223372036854775807), (-9223372036854775808, s.start)) as r (account_hash, last)
            union all
            select a.kind, a.tenant_id, n.user_id, n.account_hash, a.last, a.more - 1
            from accounts a cross join lateral (
                select j.user_id, j.account_hash from public.due_jobs j
                where (j.kind, j.is_long, j.tenant_id) = (a.kind, of_long, a.tenant_id)
                    and j.account_hash > a.account_hash and j.account_hash <= a.last
                order by j.kind, j.is_long, j.tenant_id, j.account_hash limit 1) n
            where a.more > 0)
        select distinct a.tenant_id, a.user_id from accounts a where a.user_id is not null
    $$;

-- Leases up to `most` due jobs to a worker, the next first (decision 0029): light accounts, then by what the app, then by what the account has
-- used. `account_most`: jobs of one account that the worker runs at once; `heavy_most`: the same of accounts that are not light, together.
create function claim_jobs(
    of_queue text, of_kinds text[], of_long boolean, most int, worker text, lease_seconds double precision, account_most int, heavy_most int
) returns setof jobs
    language plpgsql set plan_cache_mode = force_generic_plan set jit = off
    set enable_seqscan = off set enable_sort = off set enable_incremental_sort = off
    as $$
declare
    -- An account that has used less of late is light.
    light constant double precision := 5;
    claimed public.jobs[];
begin
    -- Claims of a queue come one after the other, and so do those of a worker: each counts what the ones before took.
    perform pg_advisory_xact_lock(hashtextextended('claims of ' || of_queue || of_long, 0));
    perform pg_advisory_xact_lock(hashtextextended(worker, 0));
    update public.jobs j set is_delayed = false where j.id = any (array(
        select d.id from unnest(of_kinds) as k (kind) cross join lateral (
            select r.id from public.jobs r where r.state = 'ready' and r.is_delayed and r.kind = k.kind and r.run_at <= clock_timestamp()
            order by r.kind, r.run_at limit 500 for update skip locked) d));
    if not exists (select from due_accounts(of_kinds, of_long, 1)) then return; end if;

    with held as materialized (
        select h.tenant_id, h.user_id, h.crashes, h.kind = any (of_kinds) as is_of_queue, h.kind = any (of_kinds) and (h.cost > 10) = of_long as is_ours, (
            select u.seconds from public.queue_used u
            where (u.queue, u.is_long, u.subject) = (of_queue, of_long, use_subject(h.tenant_id, h.user_id))) >= light as is_heavy
        from public.jobs h where h.leased_by = worker and h.lease_until is not null),
    -- Of jobs that may have crashed their worker each worker runs one at a time, so that no other crashes with it twice (A13). A mail runs no
    -- program: it waits for those of other queues only before its last crash.
    suspects as (select coalesce(max(case when is_of_queue or of_queue <> 'mail' then 2 else 1 end), 0) as place from held where crashes > 0),
    waiting as materialized (
        select a.app, a.account, random() as tie, account_most - coalesce(h.jobs, 0) as room, coalesce((
            select u.seconds from public.queue_used u
            where (u.queue, u.is_long, u.subject) = (of_queue, of_long, use_subject(a.app, a.account))), 0) as used, coalesce((
            select u.seconds from public.queue_used u where (u.queue, u.is_long, u.subject) = (of_queue, of_long, use_subject(a.app))), 0) as app_used
        from due_accounts(of_kinds, of_long, 100) a left join (
            select h.tenant_id as app, h.user_id as account, count(*)::int as jobs from held h where h.is_ours group by 1, 2) h using (app, account)
        where coalesce(h.jobs, 0) < account_most
            and not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = a.app))),
    -- The accounts that may come first, and how many jobs of each.
    first as (
        select n.*, least(n.room, 2 + 3 * most / (row_number() over turn)::int) as jobs
        from (select w.*, row_number() over (partition by w.app order by w.used, w.tie) as place from waiting w) n
        window turn as (order by n.used >= light, n.place, n.app_used, n.tie) order by row_number() over turn limit 2 * most + 8),
    -- What the account, and the app, will have used when a job's turn comes: the jobs before it are counted.
    of_account as (
        select f.*, j.id, j.crashes, j.cost, j.run_at, f.used + coalesce(sum(j.cost) over (
            partition by f.app, f.account order by j.run_at, j.id rows between unbounded preceding and 1 preceding), 0) as at_account
        from first f cross join suspects s cross join lateral (
            select o.* from unnest(of_kinds) as k (kind), unnest(array[false, true]) as c (is_suspect) cross join lateral (
                select r.id, r.crashes, r.cost, r.run_at from public.due_jobs r
                where (r.kind, r.is_long, r.tenant_id, r.account_hash, r.user_id, r.is_suspect)
                    = (k.kind, of_long, f.app, uuid_hash_extended(f.account, 0), f.account, c.is_suspect) and r.run_at <= clock_timestamp()
                order by r.kind, r.is_long, r.tenant_id, r.account_hash, r.is_suspect, r.run_at
                limit case when c.is_suspect then 1 else f.jobs end) o) j
        where j.crashes = 0 or s.place = 0 or s.place = 1 and j.crashes = 1),
    of_app as (
        select a.*, a.at_account >= light as is_heavy, a.app_used + coalesce(sum(a.cost) over (
            partition by a.app order by a.at_account, a.tie, a.run_at rows between unbounded preceding and 1 preceding), 0) as at_app
        from of_account a),
    in_turn as (
        select a.*, row_number() over (order by a.is_heavy, a.at_app, a.tie, a.run_at) as turn,
            row_number() over (partition by a.crashes > 0 order by a.is_heavy, a.at_app, a.tie, a.run_at) as suspect_place
        from of_app a),
    of_room as (
        select t.*, row_number() over (partition by t.is_heavy order by t.turn) as heavy_place,
            row_number() over (partition by t.app, t.account order by t.turn) as account_place
        from in_turn t where t.crashes = 0 or t.suspect_place = 1),
    -- Each is found and locked by itself, in the order of turns: a join whose plan was made when there were few jobs reads all of them.
    chosen as materialized (
        select r.id, r.turn from (
            select o.* from of_room o where o.account_place <= o.room and (not o.is_heavy
                or o.heavy_place <= heavy_most - (select count(*) from held h where h.is_ours and h.is_heavy)) order by o.turn) r
            cross join lateral (select from public.jobs j where j.id = r.id and j.state || '' = 'ready' for update skip locked) l limit most),
    leased as (
        update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
            lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
        where j.id = any (array(select c.id from chosen c)) returning j as job)
    select array_agg(l.job order by c.turn) into claimed from leased l join chosen c on c.id = (l.job).id;
    perform charge_queue(of_queue, of_long, array_agg(c.tenant_id), array_agg(c.user_id), array_agg(c.cost::float8)) from unnest(claimed) c;
    return query select * from unnest(claimed);
end $$;

-- How a job on an entry begins, and how one ends that writes the machine's part alone, for jobs of any owners at once (decision 0029). They
-- run as their owner, as row-level security shows the worker one owner's rows at a time; an entry is found by the leased job that names it.
-- A job that something prevents is left out: another transaction holds one of its rows, the lease is lost, the account is closed, the entry
-- is deleted, or, of several, its texts are long (memory). They wait for no lock, so that they deadlock neither with each other nor with a
-- heartbeat. The worker calls them for each job that was left out alone, in a transaction that has waited for its rows, or says what
-- prevents the step.
--
-- Rows are locked by a first statement and changed by a second one, which sees what was locked. Each is found by its key or its place
-- (ctid): a plan that joins the tables and was kept from when they were empty reads millions of rows for four jobs.
--
-- Marks entries as being worked on and returns them. Entries of one owner get a change number each. `place`: of the job in the arguments,
-- from 1.
create function begin_entries(job_ids uuid[], attempts bigint[], running_statuses text[], stage_attempts bigint[])
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
            select l.ctid as row, coalesce(octet_length(l.machine), 0) + coalesce(octet_length(l.personal), 0) as bytes
            from public.entries l
            where l.tenant_id = g.tenant_id and l.user_id = g.user_id and l.id = g.subject and l.deleted_at is null
            for no key update skip locked) e
    where cardinality(job_ids) = 1 or 65536 > greatest(e.bytes, (
            select octet_length(s.sealed) from public.entry_segments s
            where s.tenant_id = g.tenant_id and s.user_id = g.user_id and s.entry_id = g.subject), (
            select octet_length(c.sealed) from public.segment_corrections c
            where c.tenant_id = g.tenant_id and c.user_id = g.user_id and c.entry_id = g.subject));

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

-- Ends jobs, writes the machine's part of their entries, and makes the next jobs ready. `keys`: each must be its owner's live key.
-- `stages` and `next_kinds` are '' at the end of the pipeline; `codes` say what an entry at its end still waits for, in its stage, else '';
-- `personal_versions` are those of the owner's part, beside another of which nothing is written, and -1 for any.
-- Returns places.
create function finish_machines(
    job_ids uuid[], attempts bigint[], keys uuid[], results bytea[], versions bigint[], statuses text[], stages text[], next_ids uuid[],
    next_kinds text[], codes text[], personal_versions bigint[], next_cost double precision) returns setof bigint
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
                and l.machine_version = g.version - 1 and personal_versions[g.place] in (-1, l.personal_version)
            for no key update skip locked) e;

    return query
        with held as materialized (
            select h.*, results[h.place] as result, versions[h.place] as version, statuses[h.place] as status,
                nullif(stages[h.place], '') as stage, next_ids[h.place] as next_id, nullif(next_kinds[h.place], '') as next_kind,
                nullif(codes[h.place], '') as code
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
            update public.entries e set status = n.status, stage = n.stage, stage_attempt = 0, stage_code = n.code, stage_next_at = null,
                rerun_from = case when n.stage is not null and n.code is null then e.rerun_from end, asked_engine = null, asked_language = null,
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
-- account and up to 200 accounts of each app. The estimate: the work of the account's jobs before it, shared out with
-- the accounts and apps that wait, by what runs now. Unknown (null) while the queue is held, no worker is alive, none works on what is
-- waiting, or the stage is tried again later.
create function queue_place(entry uuid, of_stage text, of_queue text, alive_seconds double precision)
    returns table (place int, wait_seconds double precision, percent int)
    -- Strict: an entry that waits for nothing is null here, and costs nothing.
    language plpgsql stable strict rows 1 security definer set search_path = pg_catalog, public, pg_temp
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    set enable_sort = off
    set enable_incremental_sort = off
    set jit = off
    as $$
declare
    own public.jobs;
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
    select count(*) + 1, coalesce(sum(b.cost), 0) into place, seconds from (
        select j.cost from public.due_jobs j
        where (j.kind, j.is_long, j.tenant_id, j.account_hash, j.user_id, j.is_suspect)
            = (of_stage, own.cost > 10, own.tenant_id, uuid_hash_extended(own.user_id, 0), own.user_id, own.crashes > 0) and j.run_at < own.run_at
        order by j.run_at limit 1000) b;
    if exists (select from public.workers w where w.seen_at > clock_timestamp() - make_interval(secs => alive_seconds))
        and not exists (select from public.paused_work p where p.queue = of_queue and (p.app is null or p.app = own.tenant_id)) then
        select greatest(count(distinct a.app), 1) * greatest(count(*) filter (where a.app = own.tenant_id), 1) into sharing
            from public.due_accounts(array[of_stage], own.cost > 10, 100) a;
        select count(*) into running from (
            select from public.jobs j where j.leased_by is not null and j.kind = of_stage and j.lease_until > clock_timestamp() limit 1000) r;
        wait_seconds := case
            when running > 0 then ((seconds + own.cost) * sharing - own.cost) / running
            when place = 1 and sharing = 1 then 0 end;
    end if;
    return next;
end $$;

grant select on queue_used, due_jobs to diary_worker;
grant execute on function finish_job, hold_job, hold_expired_job, use_subject, charge_queue, due_accounts, claim_jobs, begin_entries,
    finish_machines to diary_worker;
grant execute on function sweep_jobs, sweep_queue_use to diary_worker;
grant execute on function queue_place to diary_api;
