-- How long an entry waits for its recording is a setting of its app (`limits.upload_window_seconds`), and what its client was told is stored: a later
-- change of the setting does not shorten it.

alter table entries
    -- Of an entry that waits, and afterwards when it would have ended. The sweeper fails it (`upload_expired`); a fresh upload URL begins a new window.
    add column upload_expires_at timestamptz;

-- They were told nothing: the new default, from their creation.
update entries set upload_expires_at = created_at + interval '7 days' where status = 'awaiting_upload' and deleted_at is null;

-- For processes of the version before, which do not write the column.
alter table entries alter column upload_expires_at set default now() + interval '7 days';

-- As `sweep_awaiting`, which processes of the version before go on calling, and when the entry stops waiting.
create function sweep_uploads(older_than interval, after_created timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz, upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at,
            coalesce(e.upload_expires_at, e.created_at + interval '7 days')
        from public.entries e
        where e.status = 'awaiting_upload' and e.deleted_at is null and e.created_at < clock_timestamp() - older_than
            and (e.created_at, e.id) > (coalesce(after_created, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
        order by e.created_at, e.id limit most
    $$;

grant execute on function sweep_uploads(interval, timestamptz, uuid, int) to diary_worker;

-- As before (0006), and in staging also the recording of an entry that expired: a PUT that was under way may have stored it, and `complete` or a
-- fresh URL still finds it.
create or replace function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null
                    and (e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')))
            when 'audio' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null)
            when 'export' then exists (select from public.exports x
                where x.tenant_id = o.tenant and x.user_id = o.member and x.object_id = o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;
