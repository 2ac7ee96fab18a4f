-- Recordings that lie plain in a bucket's staging although nothing waits for them there (decision 0046).

-- Recordings that the check refused. Of these few are of the last week.
create index entries_refused on entries (updated_at)
    where status = 'failed' and stage = 'verify' and stage_code <> 'upload_expired' and kind = 'voice' and deleted_at is null;

-- As before (0041), and those that the check refused or could not read within the last week: their owners may have them checked again for as long as
-- they are stored.
create or replace function sweep_trash_uploads(after_entry uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz, upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with unchecked as (
            (select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, e.upload_expires_at
            from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
            where e.trash_ends_at is not null and e.kind = 'voice' and e.audio_removed_at is null and e.object_id is not null
                and (e.status = 'awaiting_upload' or (e.status in ('uploaded', 'failed') and e.stage = 'verify'))
                and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
            order by e.id limit most)
            union all
            (select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, e.upload_expires_at
            from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
            where e.status = 'failed' and e.stage = 'verify' and e.stage_code <> 'upload_expired' and e.kind = 'voice' and e.deleted_at is null
                and e.audio_removed_at is null and e.object_id is not null
                and e.updated_at > statement_timestamp() - interval '7 days'
                and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
            order by e.id limit most))
        select u.tenant_id, u.user_id, u.id, u.object_id, u.size_bytes, u.created_at, coalesce(u.upload_expires_at, u.created_at + interval '7 days')
        from unchecked u order by u.id limit most
    $$;

-- Which of the given objects in staging belong to entries whose check has ended well: recordings that were sent once more, by an upload URL that still
-- lived.
create function sweep_checked_uploads(tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(tenants, members, objects) with ordinality as o (tenant, member, object, place)
        where exists (select from public.entries e
            where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                and (e.deleted_at is null or e.trash_ends_at is not null)
                and (e.status in ('transcribing', 'cleaning', 'transcribed') or (e.status in ('uploaded', 'failed') and e.stage <> 'verify')))
    $$;

grant execute on function sweep_checked_uploads(uuid[], uuid[], uuid[]) to diary_worker;
