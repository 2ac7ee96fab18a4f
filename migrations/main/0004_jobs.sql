-- The record of work (decision D1). Rows hold ids only, so a worker may see them all.

create table jobs (
    id uuid constraint jobs_pk primary key,
    tenant_id uuid not null,
    user_id uuid not null,
    kind text not null constraint jobs_kind check (kind in ('verify', 'transcribe', 'clean', 'export', 'mail')),
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
    constraint jobs_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint jobs_lease check ((state = 'leased') = (lease_until is not null))
) with (fillfactor = 70);

-- One living job for one piece of work.
create unique index jobs_living on jobs (tenant_id, user_id, kind, subject) where state in ('ready', 'leased');
create index jobs_ready on jobs (kind, run_at) where state = 'ready';
create index jobs_leased on jobs (lease_until) where state = 'leased';
create index jobs_finished on jobs (finished_at) where state in ('done', 'dead');

alter table jobs enable row level security, force row level security;

create policy jobs_owner on jobs to diary_owner using (true) with check (true);
create policy jobs_api on jobs to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy jobs_auth on jobs to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy jobs_worker on jobs to diary_worker using (true) with check (true);

grant select, insert, update on jobs to diary_api;
grant insert on jobs to diary_auth;
grant select, insert, update, delete on jobs to diary_worker;

-- Stops the worker's transaction when its lease has gone to somebody else.
create function finish_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    update jobs set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
        where id = job and attempt = held_attempt and state = 'leased';
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

-- The same question without an answer to it: is the lease still ours? Takes the job's lock.
create function hold_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and state = 'leased' for update;
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

-- The rescuer's question: has this lease run out, and is it still the one that was seen?
create function hold_expired_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and state = 'leased' and lease_until < clock_timestamp() for update;
    if not found then
        raise exception 'the lease is alive' using errcode = 'DI410';
    end if;
end $$;

grant execute on function finish_job(uuid, int), hold_job(uuid, int), hold_expired_job(uuid, int) to diary_worker;
