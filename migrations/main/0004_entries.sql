-- Entries of diaries: their facts, sealed words, segments, earlier texts and renditions; the day of an entry; and what an account stores.

-- An entry: facts in plain columns only where they must be sorted, counted or filtered; words in sealed parts, split by writer (decision
-- D15): `personal` is written by the API, `machine` by the worker, and by the API where a client sends words that it has recognised.
create table entries (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    kind text not null constraint entries_kind check (kind in ('voice', 'text')),
    status text not null constraint entries_status
        check (status in ('awaiting_upload', 'uploaded', 'transcribing', 'cleaning', 'transcribed', 'failed')),
    change_number bigint not null,
    recorded_at timestamptz not null,
    time_zone text not null,
    -- The wall clock where it was recorded: file names and days come from here.
    recorded_local timestamp not null,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    deleted_at timestamptz,
    duration_s double precision,
    size_bytes bigint constraint entries_size check (size_bytes > 0),
    content_type text,
    sha256 bytea,
    language text,
    object_id uuid,
    uploaded_at timestamptz,
    -- The request that made it, hashed with a key: a retry is recognised, its words are not.
    request_hash bytea not null,
    key_id uuid not null,
    personal bytea,
    personal_version bigint not null default 0,
    machine bytea,
    machine_version bigint not null default 0,
    stage text,
    stage_attempt int not null default 0,
    stage_next_at timestamptz,
    stage_code text,
    -- The entry's day, see `diary_day`.
    local_date date not null,
    -- When an entry last went to another day: a zip that was asked for before may hold it although its days do not.
    day_changed_at timestamptz,
    favorite boolean not null default false,
    -- One for each tag, for the mood and for each pair of metadata, sorted, of the present personal part; null: it has none.
    -- docs/sealed-format.md says how they are made.
    label_hashes bigint[],
    -- Of an entry that waits, and afterwards when it would have ended. The sweeper fails it (`upload_expired`); a fresh upload URL begins a
    -- new window.
    upload_expires_at timestamptz default now() + interval '7 days',
    -- The stage that a run of an entry with finished texts began with: when the run fails the entry is `transcribed` as before. Null for
    -- any other.
    rerun_from text,
    -- The only engine that is asked in the run's first stage, and the language that it is told; null: as for any other entry.
    asked_engine text,
    asked_language text,
    -- A recording may be sent in parts: an entry has one set of them at a time. An abort ends it, and the next one has another name.
    -- The store's name of the set (S3: the upload id).
    part_upload text,
    -- Length of all parts but the last.
    part_bytes bigint,
    -- The owner keeps the recording whatever the retention says.
    keep_audio boolean not null default false,
    -- When the recording was removed and the text was kept. `object_id` stays until the object is deleted, so that a crash in between
    -- leaves a row that says so.
    audio_removed_at timestamptz,
    -- A deleted entry that can be restored until then. Its row is a tombstone for everything but the trash: `deleted_at` is set as well.
    trash_ends_at timestamptz,
    -- What the client asked of the recogniser, until the recording was checked: `never`, and `always` where the client has sent words of its
    -- own. Null: a recording without words is recognised.
    recognise text constraint entries_recognise check (recognise in ('always', 'never')),
    -- The recording stays on the device, or is on its way from there for the first time.
    on_device boolean not null default false,
    constraint entries_pk primary key (tenant_id, user_id, id),
    constraint entries_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint entries_parts check ((part_upload is null) = (part_bytes is null) and part_bytes > 0),
    -- A tombstone keeps no words, unless it can be restored.
    constraint entries_tombstone check (deleted_at is null or trash_ends_at is not null or (personal is null and machine is null)),
    constraint entries_trash check (trash_ends_at is null or deleted_at is not null),
    constraint entries_voice check (
        kind = 'text' or (on_device and object_id is null)
            or ((object_id is not null or audio_removed_at is not null) and content_type is not null and size_bytes is not null))
);

create unique index entries_by_change on entries (tenant_id, user_id, change_number);
create index entries_by_date on entries (tenant_id, user_id, recorded_at desc, id desc) where deleted_at is null;
-- The sweeper looks for recordings whose app never said that they are complete.
create index entries_awaiting on entries (created_at, id) where status = 'awaiting_upload' and deleted_at is null;
-- An upload and the sweeper ask whose object it is.
create index entries_by_object on entries (tenant_id, user_id, object_id) where object_id is not null;
create index entries_by_deletion on entries (tenant_id, deleted_at) where deleted_at is not null;
-- Recordings on their way, for `sweep_stranded`.
create index entries_in_work on entries (created_at, id) where status in ('uploaded', 'transcribing', 'cleaning') and deleted_at is null;
-- A creation asks for the digest of the recording that it announces: one that the account has already is refused unless its client wants it
-- twice (decision 0006).
create index entries_by_digest on entries (tenant_id, user_id, sha256) where sha256 is not null and deleted_at is null;
-- How many recordings in parts an account has.
create index entries_in_parts on entries (tenant_id, user_id)
    where part_upload is not null and status = 'awaiting_upload' and deleted_at is null;
-- For the sweep. Entries that have their recording keep the name of their set and are not in it.
create index entries_parts_to_sweep on entries (id)
    where part_upload is not null and status in ('awaiting_upload', 'failed') and deleted_at is null;
-- A member's trash, newest first; and what of all trash has ended.
create index entries_in_trash on entries (tenant_id, user_id, deleted_at desc, id desc) where trash_ends_at is not null;
create index entries_trash_ends on entries (trash_ends_at) where trash_ends_at is not null;
-- Removed recordings whose objects are still to be deleted.
create index entries_audio_removed on entries (audio_removed_at) where audio_removed_at is not null and object_id is not null;
-- Recordings that a retention may remove: of an app, and of one account.
create index entries_with_audio on entries (tenant_id, (coalesce(uploaded_at, created_at)))
    where kind = 'voice' and status = 'transcribed' and object_id is not null and audio_removed_at is null and not keep_audio;
create index entries_with_audio_by_user on entries (tenant_id, user_id, (coalesce(uploaded_at, created_at)))
    where kind = 'voice' and status = 'transcribed' and object_id is not null and audio_removed_at is null and not keep_audio;
-- Recordings that arrive late (decision 0010).
create index entries_expired_uploads on entries (upload_expires_at, id)
    where status = 'failed' and stage_code = 'upload_expired' and deleted_at is null;
-- Recordings of entries in the trash that no worker has checked: in a bucket they are plain until they leave staging.
create index entries_unchecked_in_trash on entries (id)
    where trash_ends_at is not null and kind = 'voice' and audio_removed_at is null
        and (status = 'awaiting_upload' or (status in ('uploaded', 'failed') and stage = 'verify'));
-- Recordings that the check refused, which lie plain in a bucket's staging. Of these few are of the last week.
create index entries_refused on entries (updated_at)
    where status = 'failed' and stage = 'verify' and stage_code <> 'upload_expired' and kind = 'voice' and deleted_at is null;

alter table entries enable row level security, force row level security;
create policy entries_owner on entries to diary_owner using (true) with check (true);
create policy entries_api on entries to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entries_worker on entries to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
-- A worker's import makes entries.
grant select, insert, update on entries to diary_api, diary_worker;

-- A tombstone keeps nothing of its entry.
create function clear_entry_labels() returns trigger
    language plpgsql
    as $$
begin
    new.favorite := false;
    new.label_hashes := null;
    return new;
end $$;

create trigger entries_labels before update of deleted_at, trash_ends_at on entries
    for each row when (new.deleted_at is not null and new.trash_ends_at is null) execute function clear_entry_labels();

-- A tag that has a colour. Which entries have a tag is in their sealed parts.
create table tags (
    tenant_id uuid not null,
    user_id uuid not null,
    -- As in `entries.label_hashes`.
    hash bigint not null,
    -- Name and colour.
    sealed bytea not null,
    key_id uuid not null,
    constraint tags_pk primary key (tenant_id, user_id, hash),
    constraint tags_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

alter table tags enable row level security, force row level security;
create policy tags_owner on tags to diary_owner using (true) with check (true);
create policy tags_api on tags to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy tags_worker on tags to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, delete on tags to diary_api;
-- Exports show colours, imports bring them.
grant select, insert on tags to diary_worker;

-- An entry's day: the date of its own wall clock less its owner's `day_ends_minute` (decision D17). Lists, statistics and exports select by
-- it. Days end before noon, so the day is that of the wall clock or the one before.
create function diary_day(wall_clock timestamp, day_ends_minute int) returns date
    language sql immutable
    return (wall_clock - make_interval(mins => day_ends_minute))::date;

-- Keeps the day of a written wall clock. It reads the setting after the account's lock (`bump_change`)
-- was taken: the statement's own snapshot may be older than a change of the setting that the lock waited for.
create function set_entry_day() returns trigger
    language plpgsql
    as $$
begin
    select public.diary_day(new.recorded_local, u.day_ends_minute) into new.local_date
        from public.users u where u.tenant_id = new.tenant_id and u.id = new.user_id;
    -- The account was erased during this request: the foreign key answers.
    new.local_date := coalesce(new.local_date, public.diary_day(new.recorded_local, 0));
    if tg_op = 'UPDATE' and new.local_date <> old.local_date then
        new.day_changed_at := clock_timestamp();
    end if;
    return new;
end $$;

create trigger entries_day before insert or update of recorded_local on entries for each row execute function set_entry_day();

-- A change of `day_ends_minute`: the days of all the account's entries, in one statement, each changed one with the next number of the
-- feed. Without `enable_nestloop = off` every entry would be compared with every other.
create function move_entry_days() returns trigger
    language plpgsql set enable_nestloop = off
    as $$
declare
    moved bigint;
    before bigint;
begin
    -- An entry that is created meanwhile waits here, or has been committed and is seen by the next statements.
    perform from public.user_sync s where s.tenant_id = new.tenant_id and s.user_id = new.id for update;
    select count(*) into moved from public.entries e
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.deleted_at is null
            and e.local_date <> public.diary_day(e.recorded_local, new.day_ends_minute);
    update public.user_sync s set change_number = s.change_number + moved
        where s.tenant_id = new.tenant_id and s.user_id = new.id and moved > 0
        returning s.change_number - moved into before;
    update public.entries e
        set local_date = m.day, day_changed_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = before + m.place
        from (
            select x.id, public.diary_day(x.recorded_local, new.day_ends_minute) as day,
                row_number() over (order by x.change_number) as place
            from public.entries x
            where x.tenant_id = new.tenant_id and x.user_id = new.id and x.deleted_at is null
                and x.local_date <> public.diary_day(x.recorded_local, new.day_ends_minute)) m
        where e.tenant_id = new.tenant_id and e.user_id = new.id and e.id = m.id;
    return null;
end $$;

create trigger users_day_ends after update of day_ends_minute on users
    for each row when (old.day_ends_minute <> new.day_ends_minute) execute function move_entry_days();

-- Words with their times: large, read one by one, never listed.
create table entry_segments (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    sealed bytea not null,
    version bigint not null,
    key_id uuid not null,
    constraint entry_segments_pk primary key (tenant_id, user_id, entry_id),
    constraint entry_segments_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

alter table entry_segments enable row level security, force row level security;
create policy entry_segments_owner on entry_segments to diary_owner using (true) with check (true);
create policy entry_segments_api on entry_segments to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_segments_worker on entry_segments to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
-- A copy of an entry has those of the other, and clients send words that they have recognised themselves.
grant select, insert, update, delete on entry_segments to diary_api;
grant select, insert, update, delete on entry_segments to diary_worker;

-- What the owner corrected in the segments of a recording; a table of its own because the API writes it and the worker writes the segments.
create table segment_corrections (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    sealed bytea not null,
    -- The entry's `personal_version` that was written with them.
    version bigint not null,
    -- Of the segments that they belong to; segments of another version have none.
    segments_version bigint not null,
    -- The speaker profiles that labels of the recording point to; which of them is sealed.
    speaker_ids uuid[] not null default '{}',
    key_id uuid not null,
    constraint segment_corrections_pk primary key (tenant_id, user_id, entry_id),
    constraint segment_corrections_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

alter table segment_corrections enable row level security, force row level security;
create policy segment_corrections_owner on segment_corrections to diary_owner using (true) with check (true);
create policy segment_corrections_api on segment_corrections to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy segment_corrections_worker on segment_corrections to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update, delete on segment_corrections to diary_api;
grant select, insert, delete on segment_corrections to diary_worker;

-- Stops a worker's write that takes corrections away which it has not kept.
create function expect_corrections(tenant uuid, member uuid, entry uuid, expected bigint) returns void
    language plpgsql
    as $$
begin
    if expected is distinct from coalesce((select c.version from public.segment_corrections c
        where c.tenant_id = tenant and c.user_id = member and c.entry_id = entry), 0) then
        raise exception 'the corrections have changed' using errcode = 'DI412';
    end if;
end $$;

-- For a worker whose result was made of an entry's personal part: refuses (DI412) when the entry has another version of it.
create function expect_personal(tenant uuid, member uuid, entry uuid, expected bigint) returns void
    language plpgsql
    as $$
begin
    if exists (select from public.entries e where e.tenant_id = tenant and e.user_id = member and e.id = entry and e.deleted_at is null
            and e.personal_version <> expected) then
        raise exception 'the entry has changed' using errcode = 'DI412';
    end if;
end $$;

-- A person who speaks in recordings, known beyond one of them: `segment_corrections.speaker_ids` points here. The name is sealed.
create table speaker_profiles (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    -- Of its last change, in the account's feed.
    change_number bigint not null,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    -- A deleted profile keeps its name while recordings show it.
    deleted_at timestamptz,
    sealed bytea not null,
    version bigint not null,
    key_id uuid not null,
    -- As that of an entry; of an imported one it is empty.
    request_hash bytea not null,
    constraint speaker_profiles_pk primary key (tenant_id, user_id, id),
    constraint speaker_profiles_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create unique index speaker_profiles_by_change on speaker_profiles (tenant_id, user_id, change_number);
create index speaker_profiles_by_deletion on speaker_profiles (tenant_id, deleted_at) where deleted_at is not null;

alter table speaker_profiles enable row level security, force row level security;
create policy speaker_profiles_owner on speaker_profiles to diary_owner using (true) with check (true);
create policy speaker_profiles_api on speaker_profiles to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy speaker_profiles_worker on speaker_profiles to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update on speaker_profiles to diary_api;
-- A worker's import makes some.
grant select, insert on speaker_profiles to diary_worker;

-- A text that a later one replaced, written in the statement that replaces it. The newest twenty of each layer stay.
create table entry_revisions (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    -- `raw`, `clean`, `edited`, `corrected`; the program lists them (`TextLayer`).
    layer text not null,
    -- The content version of the part that had the text last. Grows within a layer, with gaps.
    number bigint not null,
    sealed bytea not null,
    key_id uuid not null,
    -- When the text was replaced.
    created_at timestamptz not null default clock_timestamp(),
    constraint entry_revisions_pk primary key (tenant_id, user_id, entry_id, layer, number),
    constraint entry_revisions_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

alter table entry_revisions enable row level security, force row level security;
create policy entry_revisions_owner on entry_revisions to diary_owner using (true) with check (true);
create policy entry_revisions_api on entry_revisions to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_revisions_worker on entry_revisions to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, delete on entry_revisions to diary_api, diary_worker;

-- What verification makes of a recording: its waveform and, of what is not AAC in MP4 already, a copy that is, for players and exports
-- (decision 0009). A table of its own: read one by one, never listed, and gone with its recording.
create table entry_renditions (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    -- The copy, an object of kind `audio`; null where the recording itself is played.
    object_id uuid,
    size_bytes bigint constraint entry_renditions_size check (size_bytes > 0),
    sha256 bytea,
    -- The bytes of the original, which the app does not keep beside the copy (`recordings.keep_original`); null: it is kept.
    removed_bytes bigint constraint entry_renditions_removed check (removed_bytes is null or object_id is not null),
    -- Null of a removed recording, whose row stays until the copy's object is deleted. Such a copy counts no more.
    waveform bytea,
    key_id uuid not null,
    -- Engines hear the copy where the original does not have the sound as they would read it: channels that cancel out, a second track,
    -- joined files.
    is_heard boolean not null default false,
    constraint entry_renditions_pk primary key (tenant_id, user_id, entry_id),
    constraint entry_renditions_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade,
    constraint entry_renditions_copy check ((object_id is null) = (size_bytes is null) and (object_id is null) = (sha256 is null)),
    constraint entry_renditions_waveform check (waveform is not null or object_id is not null)
);

-- A playback link and the sweeper ask whose object it is.
create index entry_renditions_by_object on entry_renditions (tenant_id, user_id, object_id) where object_id is not null;

alter table entry_renditions enable row level security, force row level security;
create policy entry_renditions_owner on entry_renditions to diary_owner using (true) with check (true);
create policy entry_renditions_api on entry_renditions to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_renditions_worker on entry_renditions to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, update (waveform), delete on entry_renditions to diary_api;
grant select, insert, update, delete on entry_renditions to diary_worker;

-- When the recording of an entry stopped taking room: what is in the trash goes on taking it.
create function bytes_gone_at(deleted_at timestamptz, trash_ends_at timestamptz, audio_removed_at timestamptz) returns timestamptz
    language sql immutable parallel safe
    return coalesce(audio_removed_at, case when trash_ends_at is null then deleted_at end);

-- What a recording counts: nothing when it is deleted or has expired.
create function counted_bytes(size bigint, deleted_at timestamptz, status text, stage_code text) returns bigint
    language sql immutable parallel safe
    return case when deleted_at is null and (status = 'failed' and stage_code = 'upload_expired') is not true
        then coalesce(size, 0) else 0 end;

-- What a copy counts beyond its recording.
create function rendition_bytes(r entry_renditions) returns bigint
    language sql immutable parallel safe
    return case when (r).waveform is null then 0 else coalesce((r).size_bytes, 0) - coalesce((r).removed_bytes, 0) end;

-- Counts what an account stores, whichever statement makes, changes or deletes an entry. Each of them has locked the account's row already.
-- Rows that are removed were tombstones, or go with their account.
create function count_stored_bytes() returns trigger
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

create trigger entries_stored after insert on entries for each row when (new.size_bytes is not null) execute function count_stored_bytes();

create trigger entries_stored_again after update of size_bytes, deleted_at, status, stage_code, trash_ends_at, audio_removed_at on entries
    for each row when (
        counted_bytes(new.size_bytes, bytes_gone_at(new.deleted_at, new.trash_ends_at, new.audio_removed_at), new.status, new.stage_code)
        <> counted_bytes(
            old.size_bytes, bytes_gone_at(old.deleted_at, old.trash_ends_at, old.audio_removed_at), old.status, old.stage_code))
    execute function count_stored_bytes();

-- What an account stores: a copy comes on top of its recording, and an original that is not kept goes off.
create function count_rendition_bytes() returns trigger
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

create trigger entry_renditions_stored after insert or update or delete on entry_renditions
    for each row execute function count_rendition_bytes();

-- A tombstone has no copy and no waveform, whichever statement makes it; an entry in the trash keeps them.
create function forget_rendition() returns trigger
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

create trigger entries_rendition after update of deleted_at, trash_ends_at, audio_removed_at on entries
    for each row when (
        bytes_gone_at(new.deleted_at, new.trash_ends_at, new.audio_removed_at) is not null
        and (bytes_gone_at(old.deleted_at, old.trash_ends_at, old.audio_removed_at) is null
            or (new.deleted_at is not null and new.trash_ends_at is null)))
    execute function forget_rendition();

-- As `bump_change`, for a new recording: stops when it would not fit. The account's lock is held from here to the end, so of any number of
-- creations at once none passes the limit. An entry that is there already takes no more room: the caller's insert finds it.
create function bump_change_within(tenant uuid, member uuid, live_key uuid, entry uuid, size bigint, most bigint) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
    stored bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and key_id = live_key and closed_at is null
        returning change_number, stored_bytes into taken, stored;
    if taken is null then
        raise exception 'the key is not live' using errcode = 'DI409';
    end if;
    if size > 0 and stored + size > most
        and not exists (select from entries e where e.tenant_id = tenant and e.user_id = member and e.id = entry)
    then
        raise exception 'the account stores as much as it may' using errcode = 'DI452';
    end if;
    return taken;
end $$;

-- As `bump_change_within`, and stops when the account has a recording with this digest, arrived or announced; null: nothing is compared.
-- The account's lock is held from here to the end, and a function sees what was committed while it waited for it, so of any number of equal
-- recordings at once one is made. An entry that is there already is a repetition: the caller's insert finds it.
create function bump_change_for_recording(tenant uuid, member uuid, live_key uuid, entry uuid, size bigint, most bigint, digest bytea)
    returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    taken := bump_change_within(tenant, member, live_key, entry, size, most);
    if digest is not null and exists (
        select from entries e where e.tenant_id = tenant and e.user_id = member and e.sha256 = digest and e.deleted_at is null)
        and not exists (select from entries e where e.tenant_id = tenant and e.user_id = member and e.id = entry)
    then
        raise exception 'the account has this recording' using errcode = 'DI453';
    end if;
    return taken;
end $$;

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

-- The same for deleted speaker profiles that no recording shows.
create function sweep_speaker_profiles(most int) returns bigint
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
            select p.tenant_id, p.user_id, p.id, p.change_number, p.updated_at from public.speaker_profiles p
            where p.tenant_id = a.id and p.deleted_at < statement_timestamp() - public.tombstone_age(a.configuration)
                and not exists (select from public.segment_corrections c
                    where c.tenant_id = p.tenant_id and c.user_id = p.user_id and c.speaker_ids @> array[p.id])
            order by p.deleted_at limit most) x
        limit most),
    marked as (
        update public.user_sync s
        set purged_through = greatest(s.purged_through, t.last), purged_before = greatest(s.purged_before, t.newest)
        from (select o.tenant_id, o.user_id, max(o.change_number) as last, max(o.updated_at) as newest
            from old o group by o.tenant_id, o.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id returning s.tenant_id, s.user_id)
    delete from public.speaker_profiles p using old o join marked m on m.tenant_id = o.tenant_id and m.user_id = o.user_id
        where p.tenant_id = o.tenant_id and p.user_id = o.user_id and p.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- Whether an entry's row names the object as a recording in staging. It is wanted until it is verified and after a failure there, since
-- verifying may begin again, and that of an entry that expired: a PUT that was under way may have stored it, and `complete` or a fresh URL
-- still finds it. What is in the trash is wanted.
create function staged_recording_is_named(tenant uuid, member uuid, object uuid) returns boolean
    language sql stable
    return exists (select from public.entries e
        where e.tenant_id = tenant and e.user_id = member and e.object_id = object
            and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
            and (e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')));

-- Whether a row names the object at its final key, as a recording or as its copy. An original that is not kept beside its copy is not
-- named, nor are removed recordings and their copies.
create function recording_is_named(tenant uuid, member uuid, object uuid) returns boolean
    language sql stable
    return exists (select from public.entries e
            where e.tenant_id = tenant and e.user_id = member and e.object_id = object
                and (e.deleted_at is null or e.trash_ends_at is not null) and e.audio_removed_at is null
                and not exists (select from public.entry_renditions r
                    where r.tenant_id = e.tenant_id and r.user_id = e.user_id and r.entry_id = e.id and r.removed_bytes is not null))
        or exists (select from public.entry_renditions r
            where r.tenant_id = tenant and r.user_id = member and r.object_id = object and r.waveform is not null);

-- Whether an entry waits for this set of parts. That of an entry in the trash waits for its restoration; that of an entry that has expired
-- stays for a day, in which time in the trash does not count.
create function recording_parts_are_named(tenant uuid, member uuid, object uuid, upload text) returns boolean
    language sql stable
    return exists (select from public.entries e
        where e.tenant_id = tenant and e.user_id = member and e.object_id = object and e.part_upload = upload
            and (e.deleted_at is null or e.trash_ends_at is not null)
            and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = 'upload_expired'
                and e.upload_expires_at > coalesce(e.deleted_at, statement_timestamp()) - interval '1 day'));

grant execute on function diary_day, bytes_gone_at, counted_bytes, rendition_bytes, bump_change_within to diary_api, diary_worker;
grant execute on function expect_corrections, expect_personal, sweep_tombstones, sweep_speaker_profiles to diary_worker;
grant execute on function bump_change_for_recording to diary_api;
