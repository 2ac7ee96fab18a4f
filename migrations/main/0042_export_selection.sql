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
