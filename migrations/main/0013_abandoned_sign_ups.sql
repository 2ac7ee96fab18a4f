-- A sign-up that nobody ever confirmed ends as an account does that is erased (0010, decision 0022), so that its data key goes too.

-- A week old, nothing proved, and no code of it still lives.
create function is_abandoned(tenant uuid, member uuid) returns boolean
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null
                and u.created_at < clock_timestamp() - interval '7 days')
            and not exists (select from public.identities i where i.tenant_id = tenant and i.user_id = member and i.verified_at is not null)
            and not exists (select from public.email_codes c where c.tenant_id = tenant and c.user_id = member
                and c.expires_at > clock_timestamp())
    $$;

create function abandoned_sign_ups(most int) returns table (tenant_id uuid, user_id uuid)
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select u.tenant_id, u.id from public.users u
        where u.created_at < clock_timestamp() - interval '7 days' and public.is_abandoned(u.tenant_id, u.id)
        order by u.created_at limit most
    $$;

-- False when it is none any more.
create function request_abandoned_erasure(
    tenant uuid, member uuid, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
begin
    -- A code that is just coming back ends first; it changes the row of the address.
    perform from public.identities where tenant_id = tenant and user_id = member for update;
    if not public.is_abandoned(tenant, member) then
        return false;
    end if;
    perform public.request_erasure(tenant, member, null, true, deletion, receipt, sealed, upload_seconds, null);
    return true;
end $$;

-- Old bookkeeping as before (0011): finished jobs, spent idempotency keys, used codes, sent mails, ended sessions.
create or replace function sweep_bookkeeping() returns bigint
    language sql security definer set search_path = pg_catalog, public
    as $$
        with jobs as (
            delete from public.jobs where (state = 'done' and finished_at < clock_timestamp() - interval '7 days')
                or (state = 'dead' and finished_at < clock_timestamp() - interval '30 days') returning 1),
        spent as (delete from public.idempotency_keys where created_at < clock_timestamp() - interval '48 hours' returning 1),
        codes as (delete from public.email_codes where expires_at < clock_timestamp() - interval '1 day' returning 1),
        mails as (delete from public.mails where created_at < clock_timestamp() - interval '7 days' returning 1),
        sessions as (
            delete from public.sessions where least(expires_at, idle_expires_at) < clock_timestamp() - interval '30 days' returning 1)
        select (select count(*) from jobs) + (select count(*) from spent) + (select count(*) from codes) + (select count(*) from mails)
            + (select count(*) from sessions)
    $$;

-- Tombstones, after as many days as their app has set.
create function sweep_tombstones() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint;
begin
    -- The user's lock first, then their tombstones (decision D9).
    update public.user_sync s set purged_through = greatest(s.purged_through, t.last)
        from (select e.tenant_id, e.user_id, max(e.change_number) as last from public.entries e join public.tenants a on a.id = e.tenant_id
              where e.deleted_at < clock_timestamp() - public.tombstone_age(a.configuration) group by e.tenant_id, e.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id;
    delete from public.entries e using public.user_sync s, public.tenants a
        where a.id = e.tenant_id and e.deleted_at < clock_timestamp() - public.tombstone_age(a.configuration)
            and s.tenant_id = e.tenant_id and s.user_id = e.user_id and e.change_number <= s.purged_through;
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function abandoned_sign_ups(int), request_abandoned_erasure(uuid, uuid, uuid, bytea, bytea, double precision), sweep_tombstones()
    to diary_worker;
