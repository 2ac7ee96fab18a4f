-- Imports of zips: uploaded like a recording, read by a worker, which makes entries one by one (decision 0054).

-- An import of one zip.
create table imports (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    status text not null default 'awaiting_upload'
        constraint imports_status check (status in ('awaiting_upload', 'uploaded', 'importing', 'finished', 'failed')),
    -- Why it failed.
    code text,
    -- What the zip is, once it has been opened: `diary` or `day_one`; the program lists them (`ImportSource`).
    source text,
    size_bytes bigint not null constraint imports_size check (size_bytes > 0),
    sha256 bytea,
    -- The zip, in staging until the worker has it, then of kind `import`; null once it has been deleted.
    object_id uuid,
    -- A set of parts, as entries have them.
    part_upload text,
    part_bytes bigint,
    key_id uuid not null,
    request_hash bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    upload_expires_at timestamptz not null,
    uploaded_at timestamptz,
    finished_at timestamptz,
    -- Entries of the zip, and how many of them have been dealt with, in their order: where a worker goes on after another one died.
    entries_total bigint,
    entries_done bigint not null default 0,
    created bigint not null default 0,
    unchanged bigint not null default 0,
    skipped bigint not null default 0,
    failed bigint not null default 0,
    constraint imports_pk primary key (tenant_id, user_id, id),
    constraint imports_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint imports_parts check ((part_upload is null) = (part_bytes is null) and part_bytes > 0)
);

create index imports_by_age on imports (tenant_id, user_id, created_at desc, id desc);
-- An upload and the sweeper ask whose object it is.
create index imports_by_object on imports (tenant_id, user_id, object_id) where object_id is not null;
-- For the sweep: uploads that were never completed, zips that are done with, old rows.
create index imports_awaiting on imports (upload_expires_at) where status = 'awaiting_upload';
create index imports_to_forget on imports (finished_at) where status in ('finished', 'failed') and object_id is not null;
create index imports_finished on imports (finished_at) where status in ('finished', 'failed');

alter table imports enable row level security, force row level security;
create policy imports_owner on imports to diary_owner using (true) with check (true);
create policy imports_api on imports to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy imports_worker on imports to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update, delete on imports to diary_api;
grant select, update on imports to diary_worker;

-- What was not imported, and why. Written with the progress of the import, so that each is there once.
create table import_items (
    tenant_id uuid not null,
    user_id uuid not null,
    import_id uuid not null,
    -- In the order of the report, from 1, with gaps.
    number bigint not null,
    outcome text not null constraint import_items_outcome check (outcome in ('unchanged', 'skipped', 'failed')),
    code text not null,
    -- An entry of the account; null where there is none.
    entry_id uuid,
    -- How many things of the zip it is about.
    count int not null default 1,
    -- The name in the zip, sealed: names that another program gave may hold words.
    name bytea,
    key_id uuid not null,
    constraint import_items_pk primary key (tenant_id, user_id, import_id, number),
    constraint import_items_import_fk foreign key (tenant_id, user_id, import_id)
        references imports (tenant_id, user_id, id) on delete cascade
);

alter table import_items enable row level security, force row level security;
create policy import_items_owner on import_items to diary_owner using (true) with check (true);
create policy import_items_api on import_items to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy import_items_worker on import_items to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select on import_items to diary_api;
grant select, insert on import_items to diary_worker;

-- A zone of a zip that this server does not know: the account's own stands for it.
create function zone_or_own(given text, own text) returns text
    language plpgsql stable
    as $$
begin
    perform clock_timestamp() at time zone zone_name(given);
    return coalesce(given, own);
exception when invalid_parameter_value then
    return own;
end $$;

-- Whether an import's row names the object, in staging or as a zip that is to be imported.
create function import_is_named(tenant uuid, member uuid, object uuid) returns boolean
    language sql stable
    return exists (select from public.imports i where i.tenant_id = tenant and i.user_id = member and i.object_id = object);

-- Whether an import waits for this set of parts.
create function import_parts_are_named(tenant uuid, member uuid, object uuid, upload text) returns boolean
    language sql stable
    return exists (select from public.imports i
        where i.tenant_id = tenant and i.user_id = member and i.object_id = object and i.part_upload = upload
            and i.status = 'awaiting_upload');

-- Uploads that were never completed end.
create function sweep_import_uploads(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (update public.imports set status = 'failed', code = 'upload_expired', finished_at = clock_timestamp()
            where ctid = any (array(select i.ctid from public.imports i
                where i.status = 'awaiting_upload' and i.upload_expires_at < statement_timestamp() limit most for update skip locked))
            returning 1)
        select count(*) from gone
    $$;

-- The zips of imports that have ended.
create function sweep_imports(most int) returns table (tenant_id uuid, user_id uuid, import_id uuid, object_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select i.tenant_id, i.user_id, i.id, i.object_id
        from public.imports i join public.user_sync s on s.tenant_id = i.tenant_id and s.user_id = i.user_id and s.closed_at is null
        where i.status in ('finished', 'failed') and i.object_id is not null order by i.finished_at limit most
    $$;

-- Imports that ended 30 days ago. Each counts as ten rows, because its report goes with it.
create function sweep_import_rows(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return 10 * delete_old('imports', $$
        status in ('finished', 'failed') and finished_at < statement_timestamp() - interval '30 days' and object_id is null
    $$, greatest(1, most / 10));

grant execute on function zone_or_own, sweep_import_uploads, sweep_imports, sweep_import_rows to diary_worker;
