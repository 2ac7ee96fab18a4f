-- Exports: which entries they select, what they hold (decision 0052), and the zips that they are built as (decision 0052).

-- An export of a range of days, of a schedule or of a single entry.
create table exports (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    from_day date not null,
    to_day date not null,
    time_zone text not null,
    include_audio boolean not null,
    status text not null default 'queued' constraint exports_status check (status in ('queued', 'building', 'ready', 'failed')),
    code text,
    mail_status text not null default 'waiting' constraint exports_mail_status check (mail_status in ('waiting', 'sent', 'failed')),
    size_bytes bigint,
    entry_count int,
    created_at timestamptz not null default clock_timestamp(),
    ready_at timestamptz,
    -- When the link ends and the zip is deleted.
    expires_at timestamptz,
    downloads int not null default 0,
    max_downloads int not null,
    revoked_at timestamptz,
    -- By its owner; an entry that it may hold was deleted; the address or the password changed, or sessions were ended; by a newer export of
    -- its schedule.
    revoked_reason text
        constraint exports_revoked_reason check (revoked_reason in ('owner', 'entry_deleted', 'access_ended', 'replaced')),
    request_hash bytea not null,
    -- False: no mail was asked for, or there are no entries; `mail_status` says nothing then.
    mail_asked boolean not null default true,
    -- Files for each entry; `ExportFormat` has their names. `manifest.json` is in every zip.
    formats text[] not null default '{txt}'
        constraint exports_formats check (formats <@ array['txt', 'md', 'srt', 'transcript_json', 'metadata_json']),
    -- The text that is written into the files of `formats`.
    layer text not null default 'shown' constraint exports_layer check (layer in ('raw', 'clean', 'edited', 'corrected', 'shown')),
    -- Of the entries; null: both.
    kind text constraint exports_kind check (kind in ('voice', 'text')),
    -- Entries that were chosen one by one; `from_day` and `to_day` are the first and the last of their days when the export was asked for.
    entry_ids uuid[] constraint exports_entries check (cardinality(entry_ids) between 1 and 200),
    -- Tags that an entry must have, all of them: a sealed list, and their keyed hashes as `entries.label_hashes` has them.
    tags_sealed bytea,
    tag_hashes bigint[],
    -- The earlier export whose successor this one is. No foreign key: rows of exports are removed by age.
    since_export uuid,
    -- Only entries that changed after this change number of the account.
    changed_after bigint,
    -- The account's change number in the snapshot that the zip was made of: everything up to it was seen. Null until there is a snapshot.
    changes_upto bigint,
    -- While several parts are built: an object of kind `export` with all that the snapshot said. Null again when the object is deleted.
    work_object_id uuid,
    -- While it is built. Bytes are those of the entries' files; seconds are an estimate of what is left.
    progress_entries int,
    progress_entries_total int,
    progress_bytes bigint,
    progress_bytes_total bigint,
    progress_seconds int,
    -- The schedule (0008_schedules) that it was made by; null when its owner asked for it, and when the schedule was deleted.
    schedule_id uuid,
    -- The time that the run was due; null when the owner asked the schedule for it.
    period timestamptz,
    -- Of a schedule's export of changes: from the day of the export before it to its own, for its page and its mail. No selection.
    covered_from date,
    covered_to date,
    -- Of a zip that stays by `keep_last` of its schedule, until `expires_at` at the latest: for how long it stays once the schedule keeps
    -- it no more.
    kept_seconds int constraint exports_kept_seconds check (kept_seconds > 0),
    constraint exports_pk primary key (tenant_id, user_id, id),
    constraint exports_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint exports_range check (from_day <= to_day),
    constraint exports_revoked check ((revoked_at is null) = (revoked_reason is null)),
    constraint exports_tags check ((tags_sealed is null) = (tag_hashes is null)),
    constraint exports_progress check (
        (progress_entries is null) = (progress_bytes_total is null) and progress_entries between 0 and progress_entries_total
        and progress_bytes between 0 and progress_bytes_total),
    constraint exports_covered check ((covered_from is null) = (covered_to is null) and covered_from <= covered_to)
);

create index exports_by_age on exports (tenant_id, user_id, created_at desc, id desc);
create index exports_ended on exports (tenant_id, (coalesce(revoked_at, expires_at, created_at)))
    where status in ('ready', 'failed') or revoked_at is not null;
create index exports_at_work on exports (work_object_id) where work_object_id is not null;
-- However many runners there are, each time that is due has one export (decision D22).
create unique index exports_of_periods on exports (tenant_id, user_id, schedule_id, period) where schedule_id is not null;
create index exports_of_schedules on exports (tenant_id, user_id, schedule_id, created_at desc, id desc) where schedule_id is not null;

alter table exports enable row level security, force row level security;
create policy exports_owner on exports to diary_owner using (true) with check (true);
create policy exports_api on exports to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy exports_worker on exports to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update on exports to diary_api;
grant select, insert, update, delete on exports to diary_worker;

-- A part of an export: a zip of its own. Most exports have one.
create table export_parts (
    tenant_id uuid not null,
    user_id uuid not null,
    export_id uuid not null,
    -- From 1, in order of time.
    number int not null constraint export_parts_number check (number > 0),
    entry_count int not null,
    -- The zip: null until it is stored, and again when it is deleted.
    object_id uuid,
    key_id uuid,
    size_bytes bigint constraint export_parts_size check (size_bytes > 0 or object_id is null),
    -- Downloads by the mailed link and by the owner; the link has `exports.max_downloads` of each part.
    downloads int not null default 0,
    constraint export_parts_pk primary key (tenant_id, user_id, export_id, number),
    constraint export_parts_export_fk foreign key (tenant_id, user_id, export_id)
        references exports (tenant_id, user_id, id) on delete cascade
);

-- For the sweeper.
create index export_parts_stored on export_parts (tenant_id, user_id, export_id) where object_id is not null;

alter table export_parts enable row level security, force row level security;
create policy export_parts_owner on export_parts to diary_owner using (true) with check (true);
create policy export_parts_api on export_parts to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy export_parts_worker on export_parts to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
-- A download is counted.
grant select, update (downloads) on export_parts to diary_api;
grant select, insert, update, delete on export_parts to diary_worker;

-- Whether an export's row names the object.
create function export_object_is_named(tenant uuid, member uuid, object uuid) returns boolean
    language sql stable
    as $$
        select exists (select from public.exports x
                where x.tenant_id = tenant and x.user_id = member and x.work_object_id = object)
            or exists (select from public.export_parts p where p.tenant_id = tenant and p.user_id = member and p.object_id = object)
    $$;
