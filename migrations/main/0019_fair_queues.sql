-- Fair queues. A claim takes the app that has used the queue least of late, in it the account that has, and of the account the oldest job.
-- Use is counted in seconds of work and fades, so that neither many jobs nor costly ones of one account hold up another's.

-- Seconds of work that the job will take, estimated when it is made.
alter table jobs add column cost real not null default 1 constraint jobs_cost check (cost >= 0);

drop index jobs_ready;
-- Jobs of more than ten seconds are long: they never take all the slots of a queue.
create index jobs_ready on jobs (kind, tenant_id, user_id, ((cost > 10)::int), run_at) where state = 'ready';
create index jobs_running on jobs (leased_by, tenant_id, user_id) where state = 'leased';

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

create function use_subject(tenant uuid, member uuid default null) returns bigint
    language sql immutable
    as $$ select hashtextextended(tenant::text || coalesce(member::text, ''), 0) $$;

-- Use halves in ten minutes. The exponent is bounded: power() raises an error on underflow.
create function faded(seconds double precision, at timestamptz) returns double precision
    language sql volatile
    as $$ select seconds * power(0.5, least(greatest(extract(epoch from clock_timestamp() - at), 0) / 600, 500)) $$;

-- Adds to the use of a subject; a negative number corrects an estimate that was too high.
create function charge_queue(of_queue text, of_subject bigint, more double precision) returns void
    language sql
    as $$
        insert into public.queue_use as u (queue, subject, seconds) values (of_queue, of_subject, greatest(more, 0))
        on conflict (queue, subject) do update set seconds = greatest(faded(u.seconds, u.at) + more, 0), at = clock_timestamp()
    $$;

-- Apps with ready jobs: one step in the index for each, however many jobs it has. The order by all of the index' first columns keeps the
-- planner on it.
create function waiting_apps(of_kinds text[]) returns setof uuid
    language sql stable
    as $$
        with recursive apps as (
            select first.kind, first.tenant_id from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.tenant_id from public.jobs j where j.state = 'ready' and j.kind >= k.kind
                order by j.kind, j.tenant_id limit 1) first
            where first.kind = k.kind
            union all
            select next.kind, next.tenant_id from apps a cross join lateral (
                select j.kind, j.tenant_id from public.jobs j where j.state = 'ready' and (j.kind, j.tenant_id) > (a.kind, a.tenant_id)
                order by j.kind, j.tenant_id limit 1) next
            where next.kind = a.kind)
        select distinct tenant_id from apps
    $$;

-- Accounts of an app with ready jobs, from one account on, at most `most` for each kind.
create function waiting_accounts(of_kinds text[], tenant uuid, first_member uuid, most int) returns setof uuid
    language sql stable
    as $$
        with recursive accounts as (
            select first.kind, first.user_id, 1 as place from unnest(of_kinds) as k (kind) cross join lateral (
                select j.kind, j.tenant_id, j.user_id from public.jobs j
                where j.state = 'ready' and (j.kind, j.tenant_id, j.user_id) >= (k.kind, tenant, first_member)
                order by j.kind, j.tenant_id, j.user_id limit 1) first
            where first.kind = k.kind and first.tenant_id = tenant
            union all
            select next.kind, next.user_id, a.place + 1 from accounts a cross join lateral (
                select j.kind, j.tenant_id, j.user_id from public.jobs j
                where j.state = 'ready' and (j.kind, j.tenant_id, j.user_id) > (a.kind, tenant, a.user_id)
                order by j.kind, j.tenant_id, j.user_id limit 1) next
            where a.place < most and next.kind = a.kind and next.tenant_id = tenant)
        select distinct user_id from accounts
    $$;

-- Where a claim begins to look among the accounts of an app: anywhere between the first and the last in the order of their ids, which is the
-- order of their time. So that with more waiting accounts than a claim looks at each is looked at sooner or later.
create function waiting_start(of_kinds text[], tenant uuid) returns uuid
    language sql volatile
    as $$
        select rpad(lpad(to_hex(low + floor((high - low + 1) * random())::bigint), 12, '0'), 32, '0')::uuid
        from (
            select ('x' || left(replace(min(e.low)::text, '-', ''), 12))::bit(48)::bigint as low,
                ('x' || left(replace(max(e.high)::text, '-', ''), 12))::bit(48)::bigint as high
            from unnest(of_kinds) as k (kind) cross join lateral (
                select (select j.user_id::text from public.jobs j where j.state = 'ready' and j.kind = k.kind and j.tenant_id = tenant
                        order by j.kind, j.tenant_id, j.user_id limit 1) as low,
                    (select j.user_id::text from public.jobs j where j.state = 'ready' and j.kind = k.kind and j.tenant_id = tenant
                        order by j.kind desc, j.tenant_id desc, j.user_id desc limit 1) as high) e) ends
    $$;

-- Leases ready jobs to a worker. Claims of one queue come one after the other: each counts what the one before took.
-- `account_most`: jobs of one account that the worker runs at once; `long_most`: long jobs that it may take now.
-- `ended_apps`, `ended_accounts`, `ended_ms`: milliseconds that ended jobs took beyond their estimates, and whose they were.
create function claim_jobs(
    of_queue text, of_kinds text[], most int, worker text, lease_seconds double precision, account_most int, long_most int,
    ended_apps uuid[], ended_accounts uuid[], ended_ms bigint[]
) returns setof jobs
    language plpgsql
    as $$
declare
    -- Accounts of an app that one claim looks at.
    looked_at constant int := 100;
    app uuid;
    account uuid;
    short_one public.jobs;
    long_one public.jobs;
    claimed public.jobs;
    long_left int := long_most;
    taken int := 0;
    has_suspect boolean;
begin
    -- The worker's lock first: its other queues count its jobs that may have crashed, too.
    perform pg_advisory_xact_lock(hashtextextended(worker, 0));
    perform pg_advisory_xact_lock(hashtextextended('claims of ' || of_queue, 0));
    perform charge_queue(of_queue, e.subject, sum(e.ms) / 1000.0) from (
        select case level when 1 then use_subject(j.app) else use_subject(j.app, j.account) end as subject, j.ms
        from unnest(ended_apps, ended_accounts, ended_ms) as j (app, account, ms), generate_series(1, 2) level) e
        group by e.subject;
    has_suspect := exists (select from public.jobs h where h.state = 'leased' and h.leased_by = worker and h.crashes > 0);
    while taken < most loop
        claimed := null;
        <<choice>>
        for app in
            select w from waiting_apps(of_kinds) w
                left join public.queue_use u on u.queue = of_queue and u.subject = use_subject(w)
            order by coalesce(faded(u.seconds, u.at), 0), random()
        loop
            for account in
                select a.id from (
                    select w as id from waiting_accounts(of_kinds, app, waiting_start(of_kinds, app), looked_at) w
                    union
                    select w from waiting_accounts(of_kinds, app, '00000000-0000-0000-0000-000000000000', looked_at) w) a
                    left join public.queue_use u on u.queue = of_queue and u.subject = use_subject(app, a.id)
                where account_most > (select count(*) from public.jobs h
                    where h.state = 'leased' and h.leased_by = worker and h.tenant_id = app and h.user_id = a.id and h.kind = any (of_kinds))
                order by coalesce(faded(u.seconds, u.at), 0), random()
            loop
                -- A job with a crash may have crashed its process: one at a time for each worker, so that no other crashes with it twice (A13).
                select j.* into short_one from unnest(of_kinds) as k (kind) cross join lateral (
                    select r.* from public.jobs r where r.state = 'ready' and r.kind = k.kind and r.tenant_id = app and r.user_id = account
                        and (r.cost > 10)::int = 0 and r.run_at <= clock_timestamp() and not (r.crashes > 0 and has_suspect)
                    order by r.run_at limit 1 for update skip locked) j
                order by j.run_at limit 1;
                long_one := null;
                if long_left > 0 then
                    select j.* into long_one from unnest(of_kinds) as k (kind) cross join lateral (
                        select r.* from public.jobs r where r.state = 'ready' and r.kind = k.kind and r.tenant_id = app and r.user_id = account
                            and (r.cost > 10)::int = 1 and r.run_at <= clock_timestamp() and not (r.crashes > 0 and has_suspect)
                        order by r.run_at limit 1 for update skip locked) j
                    order by j.run_at limit 1;
                end if;
                if short_one.id is null or long_one.run_at < short_one.run_at then
                    claimed := long_one;
                else
                    claimed := short_one;
                end if;
                exit choice when claimed.id is not null;
            end loop;
        end loop;
        exit when claimed.id is null;
        update public.jobs j set state = 'leased', attempt = j.attempt + 1, leased_by = worker,
                lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
            where j.id = claimed.id returning * into claimed;
        perform charge_queue(of_queue, use_subject(claimed.tenant_id), claimed.cost);
        perform charge_queue(of_queue, use_subject(claimed.tenant_id, claimed.user_id), claimed.cost);
        taken := taken + 1;
        if claimed.cost > 10 then long_left := long_left - 1; end if;
        has_suspect := has_suspect or claimed.crashes > 0;
        return next claimed;
    end loop;
end $$;

grant execute on function use_subject(uuid, uuid), faded(double precision, timestamptz), charge_queue(text, bigint, double precision),
    waiting_apps(text[]), waiting_accounts(text[], uuid, uuid, int), waiting_start(text[], uuid),
    claim_jobs(text, text[], int, text, double precision, int, int, uuid[], uuid[], bigint[]) to diary_worker;

-- As in 0013, with the use of queues.
create or replace function sweep_bookkeeping(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with jobs as (
            delete from public.jobs where ctid = any (array(select j.ctid from public.jobs j
                where j.state in ('done', 'dead') and j.finished_at < statement_timestamp() - interval '7 days'
                    and (j.state = 'done' or j.finished_at < statement_timestamp() - interval '30 days')
                limit most for update skip locked)) returning 1),
        spent as (
            delete from public.idempotency_keys where ctid = any (array(select k.ctid from public.idempotency_keys k
                where k.created_at < statement_timestamp() - interval '48 hours' limit most for update skip locked)) returning 1),
        codes as (
            delete from public.email_codes where ctid = any (array(select c.ctid from public.email_codes c
                where c.expires_at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        mails as (
            delete from public.mails where ctid = any (array(select m.ctid from public.mails m
                where m.created_at < statement_timestamp() - interval '7 days' limit most for update skip locked)) returning 1),
        sessions as (
            delete from public.sessions where ctid = any (array(select s.ctid from public.sessions s
                where s.expires_at < statement_timestamp() - interval '30 days' limit most for update skip locked)) returning 1),
        events as (
            delete from public.audit_events where ctid = any (array(select e.ctid from public.audit_events e
                where e.at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1),
        challenges as (
            delete from public.sign_in_challenges where ctid = any (array(select c.ctid from public.sign_in_challenges c
                where c.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        notices as (
            delete from public.provider_notices where ctid = any (array(select n.ctid from public.provider_notices n
                where n.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        uses as (
            delete from public.queue_use where ctid = any (array(select u.ctid from public.queue_use u
                where u.at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1)
        select greatest((select count(*) from jobs), (select count(*) from spent), (select count(*) from codes), (select count(*) from mails),
            (select count(*) from sessions), (select count(*) from events), (select count(*) from challenges), (select count(*) from notices),
            (select count(*) from uses))
    $$;
