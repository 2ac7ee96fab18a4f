-- Exports in several parts, each a zip of its own; what building them keeps for its next try; how far it is (decision 0052).

alter table exports
    -- How many parts a finished export has; null for one. Such an export has no `object_id`: a process of the version before would hand out a part as the
    -- whole.
    add column part_count int constraint exports_part_count check (part_count is null or (part_count > 1 and object_id is null)),
    -- While the parts are built: an object of kind `export` with all that the snapshot said. Null again when the object is deleted.
    add column work_object_id uuid,
    -- While it is built. Bytes are those of the entries' files; seconds are an estimate of what is left.
    add column progress_entries int,
    add column progress_entries_total int,
    add column progress_bytes bigint,
    add column progress_bytes_total bigint,
    add column progress_seconds int,
    add constraint exports_progress check (
        (progress_entries is null) = (progress_bytes_total is null) and progress_entries between 0 and progress_entries_total
        and progress_bytes between 0 and progress_bytes_total);

create index exports_at_work on exports (work_object_id) where work_object_id is not null;

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
    -- By the mailed link and by the owner; the link has `exports.max_downloads` of each part.
    downloads int not null default 0,
    constraint export_parts_pk primary key (tenant_id, user_id, export_id, number),
    constraint export_parts_export_fk foreign key (tenant_id, user_id, export_id)
        references exports (tenant_id, user_id, id) on delete cascade
);

-- The sweeper's.
create index export_parts_stored on export_parts (tenant_id, user_id, export_id) where object_id is not null;

alter table export_parts enable row level security, force row level security;

create policy export_parts_owner on export_parts to diary_owner using (true) with check (true);
create policy export_parts_api on export_parts to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy export_parts_worker on export_parts to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- A download is counted.
grant select, update (downloads) on export_parts to diary_api;
grant select, insert, update, delete on export_parts to diary_worker;

-- Objects of exports in parts that nothing needs any more: parts of an export that has ended, also of one that a process of the version before built in one
-- piece, and what was kept for building. `sweep_exports` has the zips of exports in one piece.
create function sweep_export_parts(most int) returns table (tenant_id uuid, user_id uuid, export_id uuid, object_id uuid)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        (select p.tenant_id, p.user_id, p.export_id, p.object_id
        from public.export_parts p join public.exports x on x.tenant_id = p.tenant_id and x.user_id = p.user_id and x.id = p.export_id
        where p.object_id is not null
            and (x.revoked_at is not null or x.expires_at < clock_timestamp() or x.status = 'failed' or (x.status = 'ready' and x.part_count is null))
        limit most)
        union all
        (select x.tenant_id, x.user_id, x.id, x.work_object_id from public.exports x
        where x.work_object_id is not null and (x.revoked_at is not null or x.status in ('ready', 'failed')) limit most)
        limit most
    $$;

grant execute on function sweep_export_parts(int) to diary_worker;

-- Whether an export's row names the object.
create function export_object_is_named(tenant uuid, member uuid, object uuid) returns boolean
    language sql stable
    as $$
        select exists (select from public.exports x
                where x.tenant_id = tenant and x.user_id = member and (x.object_id = object or x.work_object_id = object))
            or exists (select from public.export_parts p where p.tenant_id = tenant and p.user_id = member and p.object_id = object)
    $$;

-- As before (0040), but exports may have several objects.
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
            when 'export' then public.export_object_is_named(o.tenant, o.member, o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;

-- As before (0042), but a row stays until the objects of its parts are deleted too.
create or replace function sweep_export_rows(most int) returns bigint
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
            where y.tenant_id = a.id and y.object_id is null and (y.status in ('ready', 'failed') or y.revoked_at is not null)
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
