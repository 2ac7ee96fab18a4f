-- What the sweeper does across accounts: each function runs as its owner, sees ids and times but no words, and is granted to the worker
-- alone. What is swept is found by an index and goes in batches, each a statement of its own: one that is cut off by its time limit must
-- not leave more for the next. Times are compared with `statement_timestamp()`: no index is searched for a volatile one.

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

-- Which of these sets of parts no waiting entry or import has. The parts of an entry in the trash wait for its restoration; those of an
-- entry that has expired stay for a day, in which time in the trash does not count. Answers with their places in the arrays, from 1.
create function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.place from unnest(tenants, members, objects, uploads) with ordinality as s (tenant, member, object, upload, place)
        where not exists (select from public.entries e
            where e.tenant_id = s.tenant and e.user_id = s.member and e.object_id = s.object and e.part_upload = s.upload
                and (e.deleted_at is null or e.trash_ends_at is not null)
                and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = 'upload_expired'
                    and e.upload_expires_at > coalesce(e.deleted_at, statement_timestamp()) - interval '1 day'))
            and not exists (select from public.imports i
                where i.tenant_id = s.tenant and i.user_id = s.member and i.object_id = s.object and i.part_upload = s.upload
                    and i.status = 'awaiting_upload')
    $$;

-- Which of these objects no row names: orphans of crashes. The store is asked for old ones only. Answers with their places in the arrays,
-- from 1: an object's id alone would not say whose it is.
-- In staging a recording is wanted until it is verified and after a failure there, since verifying may begin again, and that of an entry
-- that expired: a PUT that was under way may have stored it, and `complete` or a fresh URL still finds it. An original that is not kept
-- beside its copy is an orphan, as are removed recordings and their copies; what is in the trash is wanted.
create function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                    and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
                    and (e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')))
                or exists (select from public.imports i
                    where i.tenant_id = o.tenant and i.user_id = o.member and i.object_id = o.object)
            when 'audio' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                    and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
                    and not exists (select from public.entry_renditions r
                        where r.tenant_id = e.tenant_id and r.user_id = e.user_id and r.entry_id = e.id and r.removed_bytes is not null))
                or exists (select from public.entry_renditions r
                    where r.tenant_id = o.tenant and r.user_id = o.member and r.object_id = o.object and r.waveform is not null)
            when 'export' then public.export_object_is_named(o.tenant, o.member, o.object)
            when 'import' then exists (select from public.imports i
                where i.tenant_id = o.tenant and i.user_id = o.member and i.object_id = o.object)
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
                    and e.kind = 'voice' and e.status = 'transcribed' and e.audio_removed_at is null and not e.keep_audio
                    and coalesce(e.uploaded_at, e.created_at)
                        < statement_timestamp() - make_interval(days => public.recordings_retention(a.configuration))
                    and (e.deleted_at is null or e.trash_ends_at is not null)
                order by coalesce(e.uploaded_at, e.created_at) limit most) d
            where public.recordings_retention(a.configuration) is not null
            union
            select d.* from public.users u join public.tenants a on a.id = u.tenant_id, lateral (
                select e.tenant_id, e.user_id, e.id from public.entries e
                where e.tenant_id = u.tenant_id and e.user_id = u.id
                    and e.kind = 'voice' and e.status = 'transcribed' and e.audio_removed_at is null and not e.keep_audio
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

-- How long a deletion stays in the feed; 90 days unless the app has set another number.
create function tombstone_age(configuration jsonb) returns interval
    language sql immutable parallel safe
    return make_interval(days => case when jsonb_typeof(configuration -> 'retention.tombstone_days') = 'number'
        then greatest(7, least(3650, (configuration ->> 'retention.tombstone_days')::int)) else 90 end);

-- Up to `most` tombstones, older than their app keeps them; what is in the trash is none yet. One sweeper at a time: two would take the
-- users' locks in different orders.
create function sweep_tombstones(most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('sweep_tombstones')) then
        return 0;
    end if;
    with old as materialized (
        select x.* from public.tenants a, lateral (
            select e.tenant_id, e.user_id, e.id, e.change_number, e.updated_at from public.entries e
            where e.tenant_id = a.id and e.deleted_at < statement_timestamp() - public.tombstone_age(a.configuration)
                and e.trash_ends_at is null
            order by e.deleted_at limit most) x
        limit most),
    -- The user's lock first, then their tombstones (decision D9).
    marked as (
        update public.user_sync s
        set purged_through = greatest(s.purged_through, t.last), purged_before = greatest(s.purged_before, t.newest)
        from (select o.tenant_id, o.user_id, max(o.change_number) as last, max(o.updated_at) as newest
            from old o group by o.tenant_id, o.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id returning s.tenant_id, s.user_id)
    delete from public.entries e using old o join marked m on m.tenant_id = o.tenant_id and m.user_id = o.user_id
        where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- Up to `most` parts of recordings that failed a week ago or longer. An entry whose job still waits keeps them.
create function sweep_speech_parts(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (
            delete from public.speech_parts where ctid = any (array(select p.ctid from public.speech_parts p
                where p.created_at < statement_timestamp() - interval '7 days'
                    and not exists (select from public.jobs j where j.tenant_id = p.tenant_id and j.user_id = p.user_id
                        and j.subject = p.entry_id and j.state in ('ready', 'leased'))
                limit most for update skip locked)) returning 1)
        select count(*) from gone
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
-- The newest export of a schedule stays as long as the schedule: the next one of changes alone begins where it ended, and would hold
-- everything again (decision 0051). A failed or lost export of a schedule stays while its days or changes are in no other: nothing else
-- remembers them. One that has them stays as long as it: without it they would be covered again.
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
                cross join lateral (
                    select y.status = 'ready' and public.export_was_lost(y) as is_lost,
                        public.schedule_uncovered_changes(y.tenant_id, y.user_id, y.schedule_id) as uncovered) l
            where y.tenant_id = a.id and (y.status in ('ready', 'failed') or y.revoked_at is not null)
                and coalesce(y.revoked_at, y.expires_at, y.created_at) < statement_timestamp() - public.export_row_age(a.configuration)
                and y.work_object_id is null
                and not exists (select from public.export_parts p
                    where p.tenant_id = y.tenant_id and p.user_id = y.user_id and p.export_id = y.id and p.object_id is not null)
                and (y.schedule_id is null or y.status <> 'ready' or y.changes_upto is null or case when l.is_lost then
                        not public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto) && l.uncovered
                    else
                        exists (select from public.exports z
                            where z.tenant_id = y.tenant_id and z.user_id = y.user_id and z.schedule_id = y.schedule_id
                                and z.status = 'ready' and not public.export_was_lost(z)
                                and coalesce(z.changes_upto < lower(l.uncovered), true)
                                and (y.from_day <= date '0001-01-01' or z.period is not null and z.from_day > date '0001-01-01')
                                and (z.changes_upto, z.created_at, z.id) > (y.changes_upto, y.created_at, y.id))
                        and not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id
                                and f.status = 'ready' and public.export_was_lost(f)
                                and (f.from_day > date '0001-01-01') = (y.from_day > date '0001-01-01')
                                and public.export_changes(f.from_day, f.changed_after, f.late_after, f.changes_upto)
                                    && public.export_changes(y.from_day, y.changed_after, y.late_after, y.changes_upto))
                    end)
                and (y.schedule_id is null or y.period is null or case
                    when y.status = 'failed' or l.is_lost then
                        not daterange(y.from_day, y.to_day, '[]') && public.schedule_uncovered_days(y.tenant_id, y.user_id, y.schedule_id)
                    when y.status = 'ready' then
                        not exists (select from public.exports f
                            where f.tenant_id = y.tenant_id and f.user_id = y.user_id and f.schedule_id = y.schedule_id
                                and f.period is not null and (f.status = 'failed' or f.status = 'ready' and public.export_was_lost(f))
                                and f.from_day > date '0001-01-01' and y.from_day > date '0001-01-01'
                                and f.from_day <= y.to_day and f.to_day >= y.from_day)
                    else true end)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update of y skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- Uploads that were never completed end; rows that ended 30 days ago go. Answers the zips of imports that have ended, which may be deleted.
create function sweep_imports(most int) returns table (tenant_id uuid, user_id uuid, import_id uuid, object_id uuid)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    update public.imports i set status = 'failed', code = 'upload_expired', finished_at = clock_timestamp()
        where i.ctid = any (array(select x.ctid from public.imports x
            where x.status = 'awaiting_upload' and x.upload_expires_at < statement_timestamp() limit most for update skip locked));
    delete from public.imports i
        where i.ctid = any (array(select x.ctid from public.imports x
            where x.status in ('finished', 'failed') and x.finished_at < statement_timestamp() - interval '30 days' and x.object_id is null
            limit greatest(1, most / 10) for update skip locked));
    return query select i.tenant_id, i.user_id, i.id, i.object_id
        from public.imports i join public.user_sync s on s.tenant_id = i.tenant_id and s.user_id = i.user_id and s.closed_at is null
        where i.status in ('finished', 'failed') and i.object_id is not null order by i.finished_at limit most;
end $$;

-- Reports past their time, and what is known of addresses after 400 days, as events of accounts. Up to `most` rows of each.
create function sweep_mail_reports(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with events as (
            delete from public.mail_events where ctid = any (array(select e.ctid from public.mail_events e
                where e.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        bounces as (
            delete from public.mail_bounces where ctid = any (array(select b.ctid from public.mail_bounces b
                where b.noted_at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1)
        select greatest((select count(*) from events), (select count(*) from bounces))
    $$;

-- Codes that Apple takes no longer, and revocations that failed for 7 days. There are few: a grant is that of a person who signed in with
-- Apple.
create function sweep_apple_grants() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    delete from public.apple_grants where revoke_requested_at < statement_timestamp() - interval '7 days'
        or (token_sealed is null and code_at < statement_timestamp() - interval '10 minutes');
    get diagnostics gone = row_count;
    update public.apple_grants set code_sealed = null, code_at = null where code_at < statement_timestamp() - interval '10 minutes';
    return gone;
end $$;

-- Old bookkeeping, up to `most` rows of each kind. Failed jobs stay for 30 days, since an operator may try them again; events for 400, a
-- year and time to notice; an account's days of usage for 13 months. Sums of apps stay. App by app where the index begins with the app.
create function sweep_bookkeeping(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with jobs as (
            delete from public.jobs where ctid = any (array(select j.ctid from public.jobs j
                where j.state in ('done', 'dead') and j.finished_at < statement_timestamp() - interval '7 days'
                    and (j.state = 'done' or j.finished_at < statement_timestamp() - interval '30 days')
                limit most for update skip locked)) returning 1),
        spent as (
            delete from public.idempotency_keys where ctid = any (array(select k.ctid from public.idempotency_keys k
                where k.created_at < statement_timestamp() - interval '48 hours' limit most for update skip locked)) returning 1),
        codes as (
            delete from public.email_codes where ctid = any (array(select c.ctid from public.email_codes c
                where c.expires_at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        mails as (
            delete from public.mails where ctid = any (array(select m.ctid from public.mails m
                where m.created_at < statement_timestamp() - interval '7 days' limit most for update skip locked)) returning 1),
        sessions as (
            delete from public.sessions where ctid = any (array(select s.ctid from public.sessions s
                where s.expires_at < statement_timestamp() - interval '30 days' limit most for update skip locked)) returning 1),
        events as (
            delete from public.audit_events where ctid = any (array(select e.ctid from public.audit_events e
                where e.at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1),
        challenges as (
            delete from public.sign_in_challenges where ctid = any (array(select c.ctid from public.sign_in_challenges c
                where c.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        notices as (
            delete from public.provider_notices where ctid = any (array(select n.ctid from public.provider_notices n
                where n.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        uses as (
            delete from public.queue_use where ctid = any (array(select u.ctid from public.queue_use u
                where u.at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        days as (
            delete from public.usage_days where ctid = any (array(
                select d.id from public.tenants t cross join lateral (
                    select u.ctid as id from public.usage_days u
                    where u.tenant_id = t.id and u.day < ((statement_timestamp() at time zone 'UTC')::date - interval '13 months')::date
                    order by u.day limit most for update skip locked) d
                limit most)) returning 1),
        reservations as (
            delete from public.usage_reservations where ctid = any (array(
                select r.id from public.tenants t cross join lateral (
                    select v.ctid as id from public.usage_reservations v
                    where v.tenant_id = t.id and v.expires_at < statement_timestamp() - interval '1 day'
                    order by v.expires_at limit most for update skip locked) r
                limit most)) returning 1)
        select greatest((select count(*) from jobs), (select count(*) from spent), (select count(*) from codes),
            (select count(*) from mails), (select count(*) from sessions), (select count(*) from events),
            (select count(*) from challenges), (select count(*) from notices), (select count(*) from uses),
            (select count(*) from days), (select count(*) from reservations))
    $$;

grant execute on function sweep_uploads, sweep_part_uploads, sweep_late_uploads, sweep_trash_uploads, sweep_checked_uploads, sweep_stranded,
    sweep_part_orphans, recordings_retention(jsonb), recordings_retention(jsonb, int), sweep_retention, sweep_removed_audio, sweep_trash,
    sweep_tombstones, sweep_speech_parts, sweep_export_parts, sweep_export_rows, sweep_imports, sweep_mail_reports,
    sweep_apple_grants, sweep_bookkeeping to diary_worker;
-- `diary objects orphans` and `diary restore-check` ask what the sweeper asks.
grant execute on function sweep_orphans to diary_worker, diary_admin, diary_backup;
