-- What verification makes of a recording: its waveform and, of what is not AAC in MP4 already, a copy that is, for players and exports (decision 0044).
-- A table of its own: read one by one, never listed, and gone with its recording.

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
    waveform bytea not null,
    key_id uuid not null,
    constraint entry_renditions_pk primary key (tenant_id, user_id, entry_id),
    constraint entry_renditions_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade,
    constraint entry_renditions_copy check ((object_id is null) = (size_bytes is null) and (object_id is null) = (sha256 is null))
);

-- A playback link and the sweeper ask whose object it is.
create index entry_renditions_by_object on entry_renditions (tenant_id, user_id, object_id) where object_id is not null;

alter table entry_renditions enable row level security, force row level security;

create policy entry_renditions_owner on entry_renditions to diary_owner using (true) with check (true);
create policy entry_renditions_api on entry_renditions to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_renditions_worker on entry_renditions to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, delete on entry_renditions to diary_api;
grant select, insert, update, delete on entry_renditions to diary_worker;

-- What an account stores (0034): a copy comes on top of its recording, and an original that is not kept goes off.
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
        change := coalesce(new.size_bytes, 0) - coalesce(new.removed_bytes, 0);
        tenant := new.tenant_id;
        member := new.user_id;
    end if;
    if tg_op <> 'INSERT' then
        change := change - (coalesce(old.size_bytes, 0) - coalesce(old.removed_bytes, 0));
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

-- A tombstone has none, whichever statement makes it, also of the version before.
create function forget_rendition() returns trigger
    language plpgsql
    as $$
begin
    delete from public.entry_renditions r where r.tenant_id = new.tenant_id and r.user_id = new.user_id and r.entry_id = new.id;
    return null;
end $$;

create trigger entries_rendition after update of deleted_at on entries
    for each row when (old.deleted_at is null and new.deleted_at is not null) execute function forget_rendition();

-- As before (0028), and copies; an original that is not kept is an orphan.
create or replace function sweep_orphans(kinds text[], tenants uuid[], members uuid[], objects uuid[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select o.place from unnest(kinds, tenants, members, objects) with ordinality as o (kind, tenant, member, object, place)
        where not case o.kind
            when 'staging' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null
                    and (e.status in ('awaiting_upload', 'uploaded') or (e.status = 'failed' and e.stage = 'verify')))
            when 'audio' then exists (select from public.entries e
                where e.tenant_id = o.tenant and e.user_id = o.member and e.object_id = o.object and e.deleted_at is null
                    and not exists (select from public.entry_renditions r
                        where r.tenant_id = e.tenant_id and r.user_id = e.user_id and r.entry_id = e.id and r.removed_bytes is not null))
                or exists (select from public.entry_renditions r
                    where r.tenant_id = o.tenant and r.user_id = o.member and r.object_id = o.object)
            when 'export' then exists (select from public.exports x
                where x.tenant_id = o.tenant and x.user_id = o.member and x.object_id = o.object)
            -- Of a kind that this schema does not know.
            else true end
    $$;
