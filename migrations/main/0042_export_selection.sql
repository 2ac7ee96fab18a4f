-- What an export holds and which entries it selects (decision 0051).

alter table exports
    -- Files for each entry; `ExportFormat` has their names. `manifest.json` is in every zip.
    add column formats text[] not null default '{txt}'
        constraint exports_formats check (formats <@ array['txt', 'md', 'srt', 'transcript_json', 'metadata_json']),
    -- The text that is written into the files of `formats`.
    add column layer text not null default 'shown' constraint exports_layer check (layer in ('raw', 'clean', 'edited', 'shown')),
    -- Of the entries; null: both.
    add column kind text constraint exports_kind check (kind in ('voice', 'text')),
    -- The only entry; `from_day` and `to_day` are its day when the export was asked for.
    add column entry_id uuid,
    -- Tags that an entry must have, all of them: a sealed list, and their keyed hashes as `entries.label_hashes` has them.
    add column tags_sealed bytea,
    add column tag_hashes bigint[],
    -- The earlier export whose successor this one is. No foreign key: rows of exports are removed by age.
    add column since_export uuid,
    -- Only entries that changed after this change number of the account.
    add column changed_after bigint,
    -- The account's change number in the snapshot that the zip was made of: everything up to it was seen. Null until there is a snapshot.
    add column changes_upto bigint,
    add constraint exports_tags check ((tags_sealed is null) = (tag_hashes is null));

-- How long the row of an export stays after its end; null: for as long as the account.
create function export_row_age(configuration jsonb) returns interval
    language sql immutable parallel safe
    return make_interval(days => case when jsonb_typeof(configuration -> 'exports.retention_days') = 'number'
        then greatest(1, least(36500, (configuration ->> 'exports.retention_days')::int)) end);

create index exports_ended on exports (tenant_id, (coalesce(revoked_at, expires_at, created_at)))
    where object_id is null and (status in ('ready', 'failed') or revoked_at is not null);

-- Rows of exports that ended so long ago as their app says, and whose zips are deleted. Events of the account stay. A row that is locked is
-- left for the next round, so that this waits for no one.
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
            where y.tenant_id = a.id and y.object_id is null and (y.status in ('ready', 'failed') or y.revoked_at is not null)
                and coalesce(y.revoked_at, y.expires_at, y.created_at) < statement_timestamp() - public.export_row_age(a.configuration)
            order by coalesce(y.revoked_at, y.expires_at, y.created_at) limit most for update skip locked) x
        limit most)
    delete from public.exports e using old o where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function sweep_export_rows(int) to diary_worker;

-- An export that an administrator asks for. It is mailed to the account's own verified address and to no other (decision D11), so without one
-- there is none.
-- Null: there is no such account. Otherwise `closed` (disabled, of a suspended app, or being erased), `address_not_verified`, or `created`.
create function admin_create_export(
    tenant uuid, member uuid, export uuid, first date, last date, with_audio boolean, files text[], of_layer text, of_kind text, most_downloads int,
    job uuid, job_kind text, operator text) returns text
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    if not exists (select from public.users u where u.tenant_id = tenant and u.id = member) then
        return null;
    elsif not public.account_is_open(tenant, member) then
        return 'closed';
    elsif not public.address_is_proved(tenant, member) then
        return 'address_not_verified';
    end if;
    insert into public.exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, mail_asked,
            formats, layer, kind)
        select tenant, member, export, first, last, u.time_zone, with_audio, most_downloads, ''::bytea, true, files, of_layer, of_kind
        from public.users u where u.tenant_id = tenant and u.id = member;
    -- The cost as the API says it (`JobInsertion`).
    insert into public.jobs (id, tenant_id, user_id, kind, subject, cost)
        select job, tenant, member, job_kind, export,
            0.5 + count(*) * 0.002 + coalesce(sum(e.size_bytes) filter (where with_audio), 0) / 20000000.0
        from public.entries e where e.tenant_id = tenant and e.user_id = member and e.deleted_at is null
            and e.local_date between first and last and (of_kind is null or e.kind = of_kind);
    perform public.record_event(tenant, member, 'export_requested', 'admin', null, null);
    perform public.note_act(tenant, 'export_requested', operator);
    return 'created';
end $$;

-- Exports of an account, newest first, or one of them: states, times, counts. Nothing that is sealed.
create function admin_exports(tenant uuid, member uuid, only_export uuid, most int)
    returns table (id uuid, from_day date, to_day date, include_audio boolean, formats text[], layer text, kind text, has_tags boolean, status text,
        code text, mail_status text, size_bytes bigint, entry_count int, created_at timestamptz, ready_at timestamptz, expires_at timestamptz,
        downloads int, max_downloads int, revoked_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select x.id, x.from_day, x.to_day, x.include_audio, x.formats, x.layer, x.kind, x.tags_sealed is not null,
            case when x.revoked_at is not null then 'revoked' when x.status = 'ready' and x.expires_at <= statement_timestamp() then 'expired'
                else x.status end,
            x.code, case when x.mail_asked then x.mail_status else 'none' end, x.size_bytes, x.entry_count, x.created_at, x.ready_at, x.expires_at,
            x.downloads, x.max_downloads, x.revoked_at
        from public.exports x
        where x.tenant_id = tenant and x.user_id = member and (only_export is null or x.id = only_export)
        order by x.created_at desc, x.id desc limit most
    $$;

grant execute on function admin_create_export(uuid, uuid, uuid, date, date, boolean, text[], text, text, int, uuid, text, text),
    admin_exports(uuid, uuid, uuid, int) to diary_admin;
