-- Jobs that wait for a later time (the next try of a mail, a budget until midnight, a paused engine) no longer hide jobs that are due: a claim looks at a
-- bounded number of an app's accounts, and accounts without a due job took up these places.

alter table jobs add column is_delayed boolean not null default false;

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

update jobs set is_delayed = true where state = 'ready' and run_at > clock_timestamp();

create index jobs_due on jobs (kind, ((cost > 10)::int), tenant_id, user_id) where state = 'ready' and not is_delayed;
create index jobs_delayed on jobs (kind, run_at) where state = 'ready' and is_delayed;

-- The three functions as before (0026), and of jobs that are due alone.

-- Apps with due jobs of a class (1: long): one step in the index for each, however many jobs it has. The order by all of the index' first
-- columns keeps the planner on it.
create or replace function waiting_apps(of_kinds text[], of_class int) returns setof uuid
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
create or replace function waiting_accounts(of_kinds text[], of_class int, tenant uuid, first_member uuid, most int) returns setof uuid
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

-- Where a claim begins to look among the accounts of an app: anywhere between the first and the last in the order of their ids, which is the
-- order of their time. So that with more waiting accounts than a claim looks at each is looked at sooner or later.
create or replace function waiting_start(of_kinds text[], of_class int, tenant uuid) returns uuid
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

-- Jobs of these kinds whose time has come are looked at from now on. Some hundred of them for each claim, the longest waiting first.
create function end_delays(of_kinds text[]) returns void
    language sql volatile
    as $$
        update public.jobs j set is_delayed = false
        where j.id = any (array(
            select d.id from unnest(of_kinds) as k (kind) cross join lateral (
                select r.id, r.run_at from public.jobs r
                where r.state = 'ready' and r.is_delayed and r.kind = k.kind and r.run_at <= clock_timestamp()
                order by r.kind, r.run_at limit 500 for update skip locked) d))
    $$;

-- What claims did until now (0053) is `claim_due_jobs`; the function that workers of this version and of the one before call looks first for jobs
-- whose time has come.
alter function claim_jobs(text, text[], int, text, double precision, int, int, int, uuid[], uuid[], bigint[], bigint[])
    rename to claim_due_jobs;

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

grant execute on function end_delays(text[]),
    claim_jobs(text, text[], int, text, double precision, int, int, int, uuid[], uuid[], bigint[], bigint[]) to diary_worker;
