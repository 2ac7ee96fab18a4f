-- A recording that the account has already is refused unless its client wants it twice; a large one may be sent in parts (decision 0043).

-- A creation asks for the digest of the recording that it announces.
create index entries_by_digest on entries (tenant_id, user_id, sha256) where sha256 is not null and deleted_at is null;

-- As `bump_change_within`, which processes of the version before go on calling, and stops when the account has a recording with this digest, arrived or
-- announced; null: nothing is compared. The account's lock is held from here to the end, and a function sees what was committed while it waited for it,
-- so of any number of equal recordings at once one is made. An entry that is there already is a repetition: the caller's insert finds it.
create function bump_change_for_recording(tenant uuid, member uuid, live_key uuid, entry uuid, size bigint, most bigint, digest bytea) returns bigint
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

grant execute on function bump_change_for_recording(uuid, uuid, uuid, uuid, bigint, bigint, bytea) to diary_api;

-- A recording may be sent in parts. An entry has one set of them at a time; an abort ends it, and the next one has another name.
alter table entries
    -- The store's name of the set (S3: the upload id).
    add column part_upload text,
    -- Length of all parts but the last.
    add column part_bytes bigint,
    add constraint entries_parts check ((part_upload is null) = (part_bytes is null) and part_bytes > 0);

-- How many an account has.
create index entries_in_parts on entries (tenant_id, user_id) where part_upload is not null and status = 'awaiting_upload' and deleted_at is null;
-- For the sweep. Entries that have their recording keep the name of their set and are not in it.
create index entries_parts_to_sweep on entries (id) where part_upload is not null and status in ('awaiting_upload', 'failed') and deleted_at is null;

-- Recordings whose parts may all be there although no client said `complete`: of entries that wait, and of those that expired within the last day, whose
-- parts are still kept. After the given entry, or from the first one when that is null.
create function sweep_part_uploads(after_entry uuid, most int)
    returns table (tenant_id uuid, user_id uuid, entry_id uuid, object_id uuid, size_bytes bigint, created_at timestamptz, upload_expires_at timestamptz,
        part_upload text, content_type text, part_bytes bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, e.user_id, e.id, e.object_id, e.size_bytes, e.created_at, coalesce(e.upload_expires_at, e.created_at + interval '7 days'),
            e.part_upload, e.content_type, e.part_bytes
        from public.entries e
        where e.part_upload is not null and e.deleted_at is null and e.id > coalesce(after_entry, '00000000-0000-0000-0000-000000000000')
            and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = 'upload_expired'
                and e.upload_expires_at > statement_timestamp() - interval '1 day')
        order by e.id limit most
    $$;

-- Which of these sets of parts does no waiting entry have? Answers with their places in the arrays, from 1.
create function sweep_part_orphans(tenants uuid[], members uuid[], objects uuid[], uploads text[]) returns setof bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.place from unnest(tenants, members, objects, uploads) with ordinality as s (tenant, member, object, upload, place)
        where not exists (select from public.entries e
            where e.tenant_id = s.tenant and e.user_id = s.member and e.object_id = s.object and e.part_upload = s.upload
                and e.deleted_at is null and e.status = 'awaiting_upload')
    $$;

grant execute on function sweep_part_uploads(uuid, int), sweep_part_orphans(uuid[], uuid[], uuid[], text[]) to diary_worker;
