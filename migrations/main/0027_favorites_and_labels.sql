-- Favourites, and keyed hashes by which a listing finds tags and moods without opening every entry (decision D21).

alter table entries
    add column favorite boolean not null default false,
    -- One for each tag and one for the mood, sorted, of the personal part of version `label_version`; null: it has neither. docs/sealed-format.md
    -- says how they are made.
    add column label_hashes bigint[],
    -- Differs from `personal_version` when a process of the version before wrote the part, or when it is older than this migration: then only the
    -- opened part tells.
    add column label_version bigint not null default 0;

-- A tombstone keeps nothing of its entry. A trigger, for processes of the version before too.
create function clear_entry_labels() returns trigger
    language plpgsql
    as $$
begin
    new.favorite := false;
    new.label_hashes := null;
    return new;
end $$;

create trigger entries_labels before update of deleted_at on entries
    for each row when (new.deleted_at is not null) execute function clear_entry_labels();
