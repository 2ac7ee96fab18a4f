-- Earlier texts of an entry, the owner's corrections of single segments, and what the owner asked for when a finished entry is processed again.

-- A text that a later one replaced, written in the statement that replaces it. The newest twenty of each layer stay.
create table entry_revisions (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    -- `raw`, `clean`, `edited`, `corrected`; the program lists them (`TextLayer`).
    layer text not null,
    -- The content version of the part that had the text last. Grows within a layer, with gaps.
    number bigint not null,
    sealed bytea not null,
    key_id uuid not null,
    -- When the text was replaced.
    created_at timestamptz not null default clock_timestamp(),
    constraint entry_revisions_pk primary key (tenant_id, user_id, entry_id, layer, number),
    constraint entry_revisions_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

-- What the owner corrected in the segments of a recording, apart from them because the API writes it and the worker writes those.
create table segment_corrections (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    sealed bytea not null,
    -- The entry's `personal_version` that was written with them.
    version bigint not null,
    -- Of the segments that they belong to; segments of another version have none.
    segments_version bigint not null,
    key_id uuid not null,
    constraint segment_corrections_pk primary key (tenant_id, user_id, entry_id),
    constraint segment_corrections_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

alter table entry_revisions enable row level security, force row level security;
alter table segment_corrections enable row level security, force row level security;

create policy entry_revisions_owner on entry_revisions to diary_owner using (true) with check (true);
create policy segment_corrections_owner on segment_corrections to diary_owner using (true) with check (true);

create policy entry_revisions_api on entry_revisions to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy segment_corrections_api on segment_corrections to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

create policy entry_revisions_worker on entry_revisions to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy segment_corrections_worker on segment_corrections to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, delete on entry_revisions to diary_api, diary_worker;
grant select, insert, update, delete on segment_corrections to diary_api;
grant select, delete on segment_corrections to diary_worker;

alter table entries
    -- The stage that a run of an entry with finished texts began with: when the run fails the entry is `transcribed` as before. Null for any other.
    add column rerun_from text,
    -- The only engine that is asked in the run's first stage, and the language that it is told; null: as for any other entry.
    add column asked_engine text,
    add column asked_language text;

-- Stops a worker's write that takes corrections away which it has not kept.
create function expect_corrections(tenant uuid, member uuid, entry uuid, expected bigint) returns void
    language plpgsql
    as $$
begin
    if expected is distinct from coalesce((select c.version from public.segment_corrections c
        where c.tenant_id = tenant and c.user_id = member and c.entry_id = entry), 0) then
        raise exception 'the corrections have changed' using errcode = 'DI412';
    end if;
end $$;

grant execute on function expect_corrections(uuid, uuid, uuid, bigint) to diary_worker;
