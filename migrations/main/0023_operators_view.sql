-- What an operator can see of the queue and of the workers: ids, kinds, states, times and codes.

-- Worker processes, each of which reports itself every 15 seconds. Names no app and no user.
create table workers (
    -- Of one start of a process: host and process number come again, in containers always the same ones.
    id uuid constraint workers_pk primary key,
    name text not null,
    version text not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp()
);

grant select, insert, update, delete on workers to diary_worker;
grant select on workers to diary_api, diary_admin;

-- Jobs that match every argument that is not null, newest first.
create function admin_jobs(job uuid, about uuid, member uuid, tenant uuid, states text[], most int)
    returns table (id uuid, tenant_id uuid, slug text, user_id uuid, kind text, subject uuid, state text, attempts int, errors int, crashes int,
        code text, run_at timestamptz, lease_until timestamptz, leased_by text, created_at timestamptz, finished_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select j.id, j.tenant_id, t.slug, j.user_id, j.kind, j.subject, j.state, j.attempt, j.errors, j.crashes,
            j.code, j.run_at, j.lease_until, j.leased_by, j.created_at, j.finished_at
        from public.jobs j join public.tenants t on t.id = j.tenant_id
        where (job is null or j.id = job) and (about is null or j.subject = about) and (member is null or j.user_id = member)
            and (tenant is null or j.tenant_id = tenant) and (states is null or j.state = any (states))
        order by j.created_at desc, j.id desc limit most
    $$;

-- How far an entry is. Ids of entries are made by clients, so several accounts may have the same one. One look at an index for each account:
-- no index begins with the entry's id.
create function admin_entry(entry uuid)
    returns table (tenant_id uuid, slug text, user_id uuid, kind text, status text, stage text, stage_attempt int, stage_code text,
        stage_next_at timestamptz, created_at timestamptz, uploaded_at timestamptz, deleted_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, t.slug, e.user_id, e.kind, e.status, e.stage, e.stage_attempt, e.stage_code,
            e.stage_next_at, e.created_at, e.uploaded_at, e.deleted_at
        from public.tenants t join public.users u on u.tenant_id = t.id
            cross join lateral (select x.* from public.entries x where x.tenant_id = u.tenant_id and x.user_id = u.id and x.id = entry offset 0) e
        order by e.created_at
    $$;

-- Each kind and state: how many jobs, how many of them could run now, and since when the oldest of those waits.
create function admin_job_counts()
    returns table (kind text, state text, jobs bigint, due bigint, oldest_due timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select j.kind, j.state, count(*), count(*) filter (where j.state = 'ready' and j.run_at <= clock_timestamp()),
            min(j.run_at) filter (where j.state = 'ready' and j.run_at <= clock_timestamp())
        from public.jobs j group by j.kind, j.state order by j.kind, j.state
    $$;

grant execute on function admin_jobs(uuid, uuid, uuid, uuid, text[], int), admin_entry(uuid), admin_job_counts() to diary_admin;
