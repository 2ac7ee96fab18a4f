-- Recordings that are removed while their texts stay, and entries that wait in the trash (decision 0045).

alter table users
    -- After how many days the member wants recordings removed; null: as the app says.
    add column recordings_retention_days int constraint users_recordings_retention check (recordings_retention_days between 1 and 36500);
grant update (recordings_retention_days) on users to diary_api;

alter table entries
    -- The owner keeps the recording whatever the retention says.
    add column keep_audio boolean not null default false,
    -- When the recording was removed and the text was kept. `object_id` stays until the object is deleted, so that a crash in between leaves a row that
    -- says so.
    add column audio_removed_at timestamptz,
    -- A deleted entry that can be restored until then. Its row is a tombstone for everything but the trash: `deleted_at` is set as well.
    add column trash_ends_at timestamptz;

alter table entries drop constraint entries_tombstone;
alter table entries drop constraint entries_voice;
alter table entries
    -- A tombstone keeps no words, unless it can be restored.
    add constraint entries_tombstone check (deleted_at is null or trash_ends_at is not null or (personal is null and machine is null)),
    add constraint entries_trash check (trash_ends_at is null or deleted_at is not null),
    add constraint entries_voice check (
        kind = 'text' or ((object_id is not null or audio_removed_at is not null) and content_type is not null and size_bytes is not null));

-- A member's trash, newest first; and what of all trash has ended.
create index entries_in_trash on entries (tenant_id, user_id, deleted_at desc, id desc) where trash_ends_at is not null;
create index entries_trash_ends on entries (trash_ends_at) where trash_ends_at is not null;
-- Removed recordings whose objects are still to be deleted.
create index entries_audio_removed on entries (audio_removed_at) where audio_removed_at is not null and object_id is not null;

-- Recordings that a retention may remove: of an app, and of one account.
create index entries_with_audio on entries (tenant_id, (coalesce(uploaded_at, created_at)))
    where kind = 'voice' and status = 'transcribed' and audio_removed_at is null and not keep_audio;
create index entries_with_audio_by_user on entries (tenant_id, user_id, (coalesce(uploaded_at, created_at)))
    where kind = 'voice' and status = 'transcribed' and audio_removed_at is null and not keep_audio;
create index users_with_retention on users (tenant_id, id) where recordings_retention_days is not null;

-- As before (0027), but what is in the trash keeps its favourite and its labels.
drop trigger entries_labels on entries;
create trigger entries_labels before update of deleted_at, trash_ends_at on entries
    for each row when (new.deleted_at is not null and new.trash_ends_at is null) execute function clear_entry_labels();

-- When the recording of an entry stopped taking room: what is in the trash goes on taking it.
create function bytes_gone_at(deleted_at timestamptz, trash_ends_at timestamptz, audio_removed_at timestamptz) returns timestamptz
    language sql immutable parallel safe
    return coalesce(audio_removed_at, case when trash_ends_at is null then deleted_at end);
grant execute on function bytes_gone_at(timestamptz, timestamptz, timestamptz) to diary_api, diary_worker;

-- As before (0034).
create or replace function count_stored_bytes() returns trigger
    language plpgsql
    as $$
declare
    change bigint := public.counted_bytes(
        new.size_bytes, public.bytes_gone_at(new.deleted_at, new.trash_ends_at, new.audio_removed_at), new.status, new.stage_code);
begin
    if tg_op = 'UPDATE' then
        change := change - public.counted_bytes(
            old.size_bytes, public.bytes_gone_at(old.deleted_at, old.trash_ends_at, old.audio_removed_at), old.status, old.stage_code);
    end if;
    update public.user_sync s set stored_bytes = s.stored_bytes + change where s.tenant_id = new.tenant_id and s.user_id = new.user_id;
    return null;
end $$;

drop trigger entries_stored_again on entries;
create trigger entries_stored_again after update of size_bytes, deleted_at, status, stage_code, trash_ends_at, audio_removed_at on entries
    for each row when (
        counted_bytes(new.size_bytes, bytes_gone_at(new.deleted_at, new.trash_ends_at, new.audio_removed_at), new.status, new.stage_code)
        <> counted_bytes(old.size_bytes, bytes_gone_at(old.deleted_at, old.trash_ends_at, old.audio_removed_at), old.status, old.stage_code))
    execute function count_stored_bytes();

-- A removed recording keeps the row of its copy until the copy's object is deleted, without the waveform. It counts no more.
alter table entry_renditions
    alter column waveform drop not null,
    add constraint entry_renditions_waveform check (waveform is not null or object_id is not null);
grant update (waveform) on entry_renditions to diary_api;

create function rendition_bytes(r entry_renditions) returns bigint
    language sql immutable parallel safe
    return case when (r).waveform is null then 0 else coalesce((r).size_bytes, 0) - coalesce((r).removed_bytes, 0) end;
grant execute on function rendition_bytes(entry_renditions) to diary_api, diary_worker;

-- As before (0039).
create or replace function count_rendition_bytes() returns trigger
    language plpgsql
    as $$
declare
    change bigint := 0;
    tenant uuid;
    member uuid;
begin
    -- Deleted by the foreign key: its entry goes with its account.
    if tg_op = 'DELETE' and not exists (
        select from public.entries e where e.tenant_id = old.tenant_id and e.user_id = old.user_id and e.id = old.entry_id)
    then
        return null;
    end if;
    if tg_op <> 'DELETE' then
        change := public.rendition_bytes(new);
        tenant := new.tenant_id;
        member := new.user_id;
    end if;
    if tg_op <> 'INSERT' then
        change := change - public.rendition_bytes(old);
        tenant := old.tenant_id;
        member := old.user_id;
    end if;
    if change <> 0 then
        update public.user_sync s set stored_bytes = s.stored_bytes + change where s.tenant_id = tenant and s.user_id = member;
    end if;
    return null;
end $$;

-- As before (0039), but an entry in the trash keeps copy and waveform.
create or replace function forget_rendition() returns trigger
    language plpgsql
    as $$
begin
    delete from public.entry_renditions r
        where r.tenant_id = new.tenant_id and r.user_id = new.user_id and r.entry_id = new.id
            and (r.object_id is null or (new.deleted_at is not null and new.trash_ends_at is null));
    update public.entry_renditions r set waveform = null
        where r.tenant_id = new.tenant_id and r.user_id = new.user_id and r.entry_id = new.id and r.waveform is not null;
    return null;
end $$;

drop trigger entries_rendition on entries;
create trigger entries_rendition after update of deleted_at, trash_ends_at, audio_removed_at on entries
    for each row when (
        bytes_gone_at(new.deleted_at, new.trash_ends_at, new.audio_removed_at) is not null
        and (bytes_gone_at(old.deleted_at, old.trash_ends_at, old.audio_removed_at) is null
            or (new.deleted_at is not null and new.trash_ends_at is null)))
    execute function forget_rendition();

-- As before (0039): the objects of what is in the trash are wanted, removed recordings and their copies are not.
create or replace function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                    and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
                    and (e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')))
            when 'audio' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object
                    and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
                    and not exists (select from public.entry_renditions r
                        where r.tenant_id = e.tenant_id and r.user_id = e.user_id and r.entry_id = e.id and r.removed_bytes is not null))
                or exists (select from public.entry_renditions r
                    where r.tenant_id = o.tenant and r.user_id = o.member and r.object_id = o.object and r.waveform is not null)
            when 'export' then exists (select from public.exports x
                where x.tenant_id = o.tenant and x.user_id = o.member and x.object_id = o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;

-- As before (0038): the parts of an entry in the trash wait for its restoration.
create or replace function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.place from unnest(tenants, members, objects, uploads) with ordinality as s (tenant, member, object, upload, place)
        where not exists (select from public.entries e
            where e.tenant_id = s.tenant and e.user_id = s.member and e.object_id = s.object and e.part_upload = s.upload
                and (e.deleted_at is null or e.trash_ends_at is not null) and e.status = 'awaiting_upload')
    $$;

-- As before (0013), but what is in the trash is no tombstone yet.
create or replace function sweep_tombstones(most int) returns bigint
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
            select e.tenant_id, e.user_id, e.id, e.change_number from public.entries e
            where e.tenant_id = a.id and e.deleted_at < statement_timestamp() - public.tombstone_age(a.configuration)
                and e.trash_ends_at is null
            order by e.deleted_at limit most) x
        limit most),
    -- The user's lock first, then their tombstones (decision D9).
    marked as (
        update public.user_sync s set purged_through = greatest(s.purged_through, t.last)
        from (select o.tenant_id, o.user_id, max(o.change_number) as last from old o group by o.tenant_id, o.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id returning s.tenant_id, s.user_id)
    delete from public.entries e using old o join marked m on m.tenant_id = o.tenant_id and m.user_id = o.user_id
        where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- Entries whose time in the trash has ended. Accounts that are being erased are the eraser's.
create function sweep_trash(most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id
        from public.entries e join public.user_sync s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.closed_at is null
        where e.trash_ends_at <= statement_timestamp() order by e.trash_ends_at limit most
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

-- The app's days of keeping recordings; null: for ever.
create function recordings_retention(configuration jsonb) returns int
    language sql immutable parallel safe
    return case when jsonb_typeof(configuration -> 'recordings.retention_days') = 'number'
        then greatest(1, least(36500, (configuration ->> 'recordings.retention_days')::int)) end;

-- How long an account's recordings are kept: the shorter of the app's days and the member's own, which count unless the app forbids them.
create function recordings_retention(configuration jsonb, own_days int) returns int
    language sql immutable parallel safe
    return least(
        recordings_retention(configuration), case when configuration ->> 'recordings.retention_choice' is distinct from 'off' then own_days end);

grant execute on function recordings_retention(jsonb), recordings_retention(jsonb, int) to diary_worker;

-- Finished recordings that have been here for longer than their account keeps them: by the app's days, and by those of members who chose fewer.
create function sweep_retention(most int) returns table (tenant_id uuid, user_id uuid, entry_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select x.tenant_id, x.user_id, x.id from (
            select d.* from public.tenants a, lateral (
                select e.tenant_id, e.user_id, e.id from public.entries e
                where e.tenant_id = a.id and e.kind = 'voice' and e.status = 'transcribed' and e.audio_removed_at is null and not e.keep_audio
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
                        < statement_timestamp() - make_interval(days => public.recordings_retention(a.configuration, u.recordings_retention_days))
                    and (e.deleted_at is null or e.trash_ends_at is not null)
                order by coalesce(e.uploaded_at, e.created_at) limit most) d
            where u.recordings_retention_days is not null) x
        join public.user_sync s on s.tenant_id = x.tenant_id and s.user_id = x.user_id and s.closed_at is null
        limit most
    $$;

grant execute on function sweep_trash(int), sweep_removed_audio(int), sweep_retention(int) to diary_worker;
