-- Recordings that arrive late or lie in the trash, and parts for as long as they were promised (decision 0046).

create index entries_expired_uploads on entries (upload_expires_at, id)
    where status = 'failed' and stage_code = 'upload_expired' and deleted_at is null;

-- Entries that expired within the last day. What a bucket receives after the end of their windows it tells no one.
create function sweep_late_uploads(after_expiry timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz, upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, e.upload_expires_at
        from public.entries e
        where e.status = 'failed' and e.stage_code = 'upload_expired' and e.deleted_at is null
            and e.upload_expires_at > statement_timestamp() - interval '1 day'
            and (e.upload_expires_at, e.id) > (coalesce(after_expiry, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
        order by e.upload_expires_at, e.id limit most
    $$;

-- As before (0040), and the parts of an entry that has expired stay for a day; time in the trash does not count.
create or replace function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.place from unnest(tenants, members, objects, uploads) with ordinality as s (tenant, member, object, upload, place)
        where not exists (select from public.entries e
            where e.tenant_id = s.tenant and e.user_id = s.member and e.object_id = s.object and e.part_upload = s.upload
                and (e.deleted_at is null or e.trash_ends_at is not null)
                and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = 'upload_expired'
                    and e.upload_expires_at > coalesce(e.deleted_at, statement_timestamp()) - interval '1 day'))
    $$;

-- Recordings of entries in the trash that no worker has checked: in a bucket they are plain until they leave staging.
create index entries_unchecked_in_trash on entries (id)
    where trash_ends_at is not null and kind = 'voice' and audio_removed_at is null
        and (status = 'awaiting_upload' or (status in ('uploaded', 'failed') and stage = 'verify'));

-- After the given entry, or from the first one when that is null.
create function sweep_trash_uploads(after_entry uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz, upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, coalesce(e.upload_expires_at, e.created_at + interval '7 days')
        from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
        where e.trash_ends_at is not null and e.kind = 'voice' and e.audio_removed_at is null and e.object_id is not null
            and (e.status = 'awaiting_upload' or (e.status in ('uploaded', 'failed') and e.stage = 'verify'))
            and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
        order by e.id limit most
    $$;

grant execute on function sweep_late_uploads(timestamptz, uuid, int), sweep_trash_uploads(uuid, int) to diary_worker;
