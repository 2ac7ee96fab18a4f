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

revoke execute on function export_row_age(jsonb), sweep_export_rows(int) from public;
grant execute on function sweep_export_rows(int) to diary_worker;
