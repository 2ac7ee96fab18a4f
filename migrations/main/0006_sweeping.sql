-- What the sweeper may do across users. It sees ids and times, never words: each function is SECURITY DEFINER with a fixed
-- search_path, owned by diary_owner (whose policies pass), and granted to the worker alone.

-- Recordings whose upload began but whose app never said `complete`: a page after the given place, or the first one when that is null.
create function sweep_awaiting(older_than interval, after_created timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at from public.entries e
        where e.status = 'awaiting_upload' and e.deleted_at is null and e.created_at < clock_timestamp() - older_than
            and (e.created_at, e.id) > (coalesce(after_created, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
        order by e.created_at, e.id limit most
    $$;

-- Exports whose link has ended and whose zip still lies in the store.
create function sweep_exports(most int) returns table (tenant_id uuid, user_id uuid, export_id uuid, object_id uuid)
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select x.tenant_id, x.user_id, x.id, x.object_id from public.exports x
        where x.object_id is not null and (x.expires_at < clock_timestamp() or x.revoked_at is not null)
        order by x.expires_at limit most
    $$;

-- Which of these objects does no row want? (Orphans of crashes; the store is asked for old ones only.) Answers with their places in the
-- arrays, from 1: an object's id alone would not say whose. In staging a recording is wanted until it is verified, and after a failure
-- there, since verifying may begin again; what lies there later came in beside the one that was verified.
create function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null
                    and (e.status in ('awaiting_upload', 'uploaded')
                        or (e.status = 'failed' and e.stage = 'verify' and e.stage_code is distinct from 'upload_expired')))
            when 'audio' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null)
            when 'export' then exists (select from public.exports x
                where x.tenant_id = o.tenant and x.user_id = o.member and x.object_id = o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;

-- Old bookkeeping: finished jobs, spent idempotency keys, used codes, sent mails, ended sessions, tombstones.
create function sweep_bookkeeping() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public
    as $$
declare
    gone bigint := 0;
    n bigint;
begin
    delete from public.jobs where state = 'done' and finished_at < clock_timestamp() - interval '7 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.jobs where state = 'dead' and finished_at < clock_timestamp() - interval '30 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.idempotency_keys where created_at < clock_timestamp() - interval '48 hours';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.email_codes where expires_at < clock_timestamp() - interval '1 day';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.mails where created_at < clock_timestamp() - interval '7 days';
    get diagnostics n = row_count; gone := gone + n;
    delete from public.sessions where least(expires_at, idle_expires_at) < clock_timestamp() - interval '30 days';
    get diagnostics n = row_count; gone := gone + n;
    -- Sign-ups that nobody ever confirmed. Their data keys stay behind in the key store and open nothing.
    delete from public.users u where u.created_at < clock_timestamp() - interval '7 days'
        and not exists (select from public.identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.verified_at is not null)
        and not exists (select from public.email_codes c where c.tenant_id = u.tenant_id and c.user_id = u.id and c.expires_at > clock_timestamp());
    get diagnostics n = row_count; gone := gone + n;
    -- The user's lock first, then their tombstones (decision D9).
    update public.user_sync s set purged_through = greatest(s.purged_through, t.last)
        from (select tenant_id, user_id, max(change_number) as last from public.entries
              where deleted_at < clock_timestamp() - interval '90 days' group by tenant_id, user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id;
    delete from public.entries e using public.user_sync s
        where e.deleted_at < clock_timestamp() - interval '90 days'
            and s.tenant_id = e.tenant_id and s.user_id = e.user_id and e.change_number <= s.purged_through;
    get diagnostics n = row_count; gone := gone + n;
    return gone;
end $$;

grant execute on function sweep_awaiting(interval, timestamptz, uuid, int), sweep_exports(int), sweep_orphans(text[], uuid[], uuid[], uuid[]), sweep_bookkeeping()
    to diary_worker;
