-- Imports of zips: uploaded like a recording, read by a worker, which makes entries one by one (decision 0054).

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
    -- A set of parts, as entries have them (0038).
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

alter table imports enable row level security, force row level security;
alter table import_items enable row level security, force row level security;

create policy imports_owner on imports to diary_owner using (true) with check (true);
create policy import_items_owner on import_items to diary_owner using (true) with check (true);
create policy imports_api on imports to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy import_items_api on import_items to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy imports_worker on imports to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy import_items_worker on import_items to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, update, delete on imports to diary_api;
grant select on import_items to diary_api;
grant select, update on imports to diary_worker;
grant select, insert on import_items to diary_worker;

-- An import makes entries, with the owner's corrections of their segments, under the same row-level security as results are written.
grant insert on entries, segment_corrections to diary_worker;
grant execute on function bump_change_within(uuid, uuid, uuid, uuid, bigint, bigint), zone_name(text), diary_day(timestamp, int)
    to diary_worker;

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
grant execute on function zone_or_own(text, text) to diary_worker;

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
grant execute on function sweep_imports(int) to diary_worker;

-- As before (0043), and zips that wait to be imported.
create or replace function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
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

-- As before (0041), and the parts of a zip that is waited for.
create or replace function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
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

-- As before (0017), and reports of imports.
create or replace function erase_batch(
    tenant uuid, member uuid, most int, out gone bigint, out gone_entries bigint, out gone_sessions bigint, out gone_mails bigint)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone_others bigint;
begin
    if public.may_erase(tenant, member) is not true then
        raise exception 'the account is not going' using errcode = 'DI404';
    end if;
    -- Arrays, and not `in (select …)`: that was planned as a nested loop over the whole diary (40 s for 20,000 entries).
    delete from public.entries where tenant_id = tenant and user_id = member
        and id = any (array(select e.id from public.entries e where e.tenant_id = tenant and e.user_id = member limit most));
    get diagnostics gone_entries = row_count;
    delete from public.sessions where tenant_id = tenant and user_id = member
        and id = any (array(select s.id from public.sessions s where s.tenant_id = tenant and s.user_id = member limit most));
    get diagnostics gone_sessions = row_count;
    delete from public.mails where tenant_id = tenant and user_id = member
        and id = any (array(select m.id from public.mails m where m.tenant_id = tenant and m.user_id = member limit most));
    get diagnostics gone_mails = row_count;
    gone := greatest(gone_entries, gone_sessions, gone_mails);
    delete from public.audit_events where tenant_id = tenant and user_id = member
        and id = any (array(select a.id from public.audit_events a where a.tenant_id = tenant and a.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
    delete from public.jobs where tenant_id = tenant and user_id = member
        and id = any (array(select j.id from public.jobs j where j.tenant_id = tenant and j.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
    delete from public.idempotency_keys where ctid = any (array(
        select k.ctid from public.idempotency_keys k where k.tenant_id = tenant and k.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
    delete from public.import_items where ctid = any (array(
        select i.ctid from public.import_items i where i.tenant_id = tenant and i.user_id = member limit most));
    get diagnostics gone_others = row_count;
    gone := greatest(gone, gone_others);
end $$;
