-- A job is found by its key. `state = 'leased'` let the planner take one of the indexes of leased jobs instead, which are small by their
-- statistics and hold an entry of each job that was leased since the last vacuum: half a millisecond for each step of a job.
-- `lease_until is not null` says the same (jobs_lease).

create or replace function finish_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    update jobs set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
        where id = job and attempt = held_attempt and lease_until is not null;
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

create or replace function hold_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and lease_until is not null for update;
    if not found then
        raise exception 'the lease has been lost' using errcode = 'DI410';
    end if;
end $$;

create or replace function hold_expired_job(job uuid, held_attempt int) returns void
    language plpgsql
    as $$
begin
    perform from jobs where id = job and attempt = held_attempt and lease_until < clock_timestamp() for update;
    if not found then
        raise exception 'the lease is alive' using errcode = 'DI410';
    end if;
end $$;
