-- What the sweeper finds of recordings and objects across accounts. Each function whose name begins with `sweep_`, here and beside its
-- tables, runs as its owner, sees ids and times but no words, and is granted to the worker alone. What is swept is found by an index and
-- goes in batches, each a statement of its own: one that is cut off by its time limit must not leave more for the next. Rows that are
-- locked are left to the next round. Times are compared with `statement_timestamp()`: no index is searched for a volatile one.

-- Recordings whose upload began but whose app never said `complete`, and when the entry stops waiting: a page after the given place, or the
-- first one when that is null.
create function sweep_uploads(older_than interval, after_created timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz,
        upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at,
            coalesce(e.upload_expires_at, e.created_at + interval '7 days')
        from public.entries e
        where e.status = 'awaiting_upload' and e.deleted_at is null and e.created_at < clock_timestamp() - older_than
            and (e.created_at, e.id) > (coalesce(after_created, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
        order by e.created_at, e.id limit most
    $$;

-- Recordings whose parts may all be there although no client said `complete`: of entries that wait, and of those that expired within the
-- last day, whose parts are still kept. After the given entry, or from the first one when that is null.
create function sweep_part_uploads(after_entry uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz,
        upload_expires_at timestamptz, part_upload text, content_type text, part_bytes bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at,
            coalesce(e.upload_expires_at, e.created_at + interval '7 days'), e.part_upload, e.content_type, e.part_bytes
        from public.entries e
        where e.part_upload is not null and e.deleted_at is null and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
            and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = 'upload_expired'
                and e.upload_expires_at > statement_timestamp() - interval '1 day')
        order by e.id limit most
    $$;

-- Entries that expired within the last day. What a bucket receives after the end of their windows is not reported by it.
create function sweep_late_uploads(after_expiry timestamptz, after_id uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz,
        upload_expires_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, e.upload_expires_at
        from public.entries e
        where e.status = 'failed' and e.stage_code = 'upload_expired' and e.deleted_at is null
            and e.upload_expires_at > statement_timestamp() - interval '1 day'
            and (e.upload_expires_at, e.id) > (coalesce(after_expiry, '-infinity'),
                coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
        order by e.upload_expires_at, e.id limit most
    $$;

-- Recordings in staging that no worker has checked: of entries in the trash, and those that the check refused or could not read within the
-- last week, whose owners may have them checked again for as long as they are stored. After the given entry, or from the first one when
-- that is null.
create function sweep_trash_uploads(after_entry uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz,
        upload_expires_at timestamptz)
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
            where e.status = 'failed' and e.stage = 'verify' and e.stage_code <> 'upload_expired' and e.kind = 'voice'
                and e.deleted_at is null and e.audio_removed_at is null and e.object_id is not null
                and e.updated_at > statement_timestamp() - interval '7 days'
                and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
            order by e.id limit most))
        select u.tenant_id, u.user_id, u.id, u.object_id, u.size_bytes, u.created_at,
            coalesce(u.upload_expires_at, u.created_at + interval '7 days')
        from unchecked u order by u.id limit most
    $$;

-- Which of the given objects in staging belong to entries whose check has ended well: recordings that were sent once more, by an upload URL
-- that still lived.
create function sweep_checked_uploads(tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(tenants, members, objects) with ordinality as o (tenant, member, object, place)
        where exists (select from public.entries e
            where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                and (e.deleted_at is null or e.trash_ends_at is not null)
                and (e.status in ('transcribing', 'cleaning', 'transcribed')
                    or (e.status in ('uploaded', 'failed') and e.stage <> 'verify')))
    $$;

-- Entries that wait for a job that is not there. No step of the service leaves one; what a hand or a fault did is found here. Nothing has
-- changed in them for a while, so none is between two transactions.
create function sweep_stranded(older_than interval, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, status text, stage text)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.status, e.stage from public.entries e
        where e.status in ('uploaded', 'transcribing', 'cleaning') and e.deleted_at is null
            and e.updated_at < clock_timestamp() - older_than
            and not exists (select from public.jobs j where j.tenant_id = e.tenant_id and j.user_id = e.user_id and j.subject = e.id
                and j.state in ('ready', 'leased'))
            and not exists (select from public.user_sync s
                where s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is not null)
        limit most
    $$;

-- Which of these sets of parts no entry and no import waits for. Answers with their places in the arrays, from 1.
create function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.place from unnest(tenants, members, objects, uploads) with ordinality as s (tenant, member, object, upload, place)
        where not public.recording_parts_are_named(s.tenant, s.member, s.object, s.upload)
            and not public.import_parts_are_named(s.tenant, s.member, s.object, s.upload)
    $$;

-- Which of these objects no row names: orphans of crashes. The store is asked for old ones only. Answers with their places in the arrays,
-- from 1: an object's id alone would not say whose it is.
create function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then public.staged_recording_is_named(o.tenant, o.member, o.object)
                or public.import_is_named(o.tenant, o.member, o.object)
            when 'audio' then public.recording_is_named(o.tenant, o.member, o.object)
            when 'export' then public.export_object_is_named(o.tenant, o.member, o.object)
            when 'import' then public.import_is_named(o.tenant, o.member, o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;

-- The app's days of keeping recordings; null: for ever.
create function recordings_retention(configuration jsonb) returns int
    language sql immutable parallel safe
    return case when jsonb_typeof(configuration -> 'recordings.retention_days') = 'number'
        then greatest(1, least(36500, (configuration ->> 'recordings.retention_days')::int)) end;

-- How long an account's recordings are kept: the shorter of the app's days and the member's own, which count unless the app forbids them.
create function recordings_retention(configuration jsonb, own_days int) returns int
    language sql immutable parallel safe
    return least(
        recordings_retention(configuration),
        case when configuration ->> 'recordings.retention_choice' is distinct from 'off' then own_days end);

-- Finished recordings that have been here for longer than their account keeps them: by the app's days, and by those of members who chose
-- fewer.
create function sweep_retention(most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select x.tenant_id, x.user_id, x.id from (
            select d.* from public.tenants a, lateral (
                select e.tenant_id, e.user_id, e.id from public.entries e
                where e.tenant_id = a.id
                    and e.kind = 'voice' and e.status = 'transcribed' and e.object_id is not null and e.audio_removed_at is null
                    and not e.keep_audio
                    and coalesce(e.uploaded_at, e.created_at)
                        < statement_timestamp() - make_interval(days => public.recordings_retention(a.configuration))
                    and (e.deleted_at is null or e.trash_ends_at is not null)
                order by coalesce(e.uploaded_at, e.created_at) limit most) d
            where public.recordings_retention(a.configuration) is not null
            union
            select d.* from public.users u join public.tenants a on a.id = u.tenant_id, lateral (
                select e.tenant_id, e.user_id, e.id from public.entries e
                where e.tenant_id = u.tenant_id and e.user_id = u.id
                    and e.kind = 'voice' and e.status = 'transcribed' and e.object_id is not null and e.audio_removed_at is null
                    and not e.keep_audio
                    and coalesce(e.uploaded_at, e.created_at)
                        < statement_timestamp()
                            - make_interval(days => public.recordings_retention(a.configuration, u.recordings_retention_days))
                    and (e.deleted_at is null or e.trash_ends_at is not null)
                order by coalesce(e.uploaded_at, e.created_at) limit most) d
            where u.recordings_retention_days is not null) x
        join public.user_sync s on s.tenant_id = x.tenant_id and s.user_id = x.user_id and s.closed_at is null
        limit most
    $$;

-- Removed recordings whose objects may still be there, with the objects of their copies.
create function sweep_removed_audio(most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, copy_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, r.object_id
        from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
            left join public.entry_renditions r on r.tenant_id = e.tenant_id and r.user_id = e.user_id and r.entry_id = e.id
        where e.audio_removed_at is not null and e.object_id is not null order by e.audio_removed_at limit most
    $$;

-- Entries whose time in the trash has ended. Accounts that are being erased are the eraser's.
create function sweep_trash(most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id
        from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
        where e.trash_ends_at <= statement_timestamp() order by e.trash_ends_at limit most
    $$;

-- Objects of exports that nothing needs any more: zips of an export that has ended, and what was kept for building.
create function sweep_export_parts(most int) returns table (tenant_id uuid, user_id uuid, export_id uuid, object_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        (select p.tenant_id, p.user_id, p.export_id, p.object_id
        from public.export_parts p join public.exports x on x.tenant_id = p.tenant_id and x.user_id = p.user_id and x.id = p.export_id
        where p.object_id is not null
            and (x.revoked_at is not null or x.expires_at < clock_timestamp() or x.status = 'failed')
        limit most)
        union all
        (select x.tenant_id, x.user_id, x.id, x.work_object_id from public.exports x
        where x.work_object_id is not null and (x.revoked_at is not null or x.status in ('ready', 'failed')) limit most)
        limit most
    $$;

-- How long the row of an export stays after its end; null: for as long as the account.
create function export_row_age(configuration jsonb) returns interval
    language sql immutable parallel safe
    return make_interval(days => case when jsonb_typeof(configuration -> 'exports.retention_days') = 'number'
        then greatest(1, least(36500, (configuration ->> 'exports.retention_days')::int)) end);

-- Rows of exports that ended so long ago as their app says, and whose objects are deleted. Events of the account stay. A row that is locked
-- is left for the next round: this waits for no lock.
create function sweep_export_rows(most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('sweep_export_rows')) then
        return 0;
    end if;
    with old as materialized (
        select x.* from public.tenants a, lateral (
            select y.tenant_id, y.user_id, y.id from public.exports y
            where y.tenant_id = a.id and (y.status in ('ready', 'failed') or y.revoked_at is not null)
                and coalesce(y.revoked_at, y.expires_at, y.created_at) < statement_timestamp() - public.export_row_age(a.configuration)
                and y.work_object_id is null
                and not exists (select from public.export_parts p
                    where p.tenant_id = y.tenant_id and p.user_id = y.user_id and p.export_id = y.id and p.object_id is not null)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function sweep_uploads, sweep_part_uploads, sweep_late_uploads, sweep_trash_uploads, sweep_checked_uploads, sweep_stranded,
    sweep_part_orphans, recordings_retention(jsonb), recordings_retention(jsonb, int), sweep_retention, sweep_removed_audio, sweep_trash,
    sweep_export_parts, sweep_export_rows to diary_worker;
-- `diary objects orphans` and `diary restore-check` ask what the sweeper asks.
grant execute on function sweep_orphans to diary_worker, diary_admin, diary_backup;
