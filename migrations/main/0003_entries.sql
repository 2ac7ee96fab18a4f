-- Entries: facts in plain columns only where they must be sorted, counted or filtered; words in sealed parts, split by writer (decision D15).

create table entries (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    kind text not null constraint entries_kind check (kind in ('voice', 'text')),
    status text not null constraint entries_status
        check (status in ('awaiting_upload', 'uploaded', 'transcribing', 'cleaning', 'transcribed', 'failed')),
    change_number bigint not null,
    recorded_at timestamptz not null,
    time_zone text not null,
    -- The wall clock where it was recorded: file names and days come from here.
    recorded_local timestamp not null,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    deleted_at timestamptz,
    duration_s double precision,
    size_bytes bigint constraint entries_size check (size_bytes > 0),
    content_type text,
    sha256 bytea,
    language text,
    object_id uuid,
    uploaded_at timestamptz,
    -- The request that made it, hashed with a key: a retry is recognised, its words are not.
    request_hash bytea not null,
    key_id uuid not null,
    personal bytea,
    personal_version bigint not null default 0,
    machine bytea,
    machine_version bigint not null default 0,
    stage text,
    stage_attempt int not null default 0,
    stage_next_at timestamptz,
    stage_code text,
    constraint entries_pk primary key (tenant_id, user_id, id),
    constraint entries_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    -- A tombstone keeps no words.
    constraint entries_tombstone check (deleted_at is null or (personal is null and machine is null)),
    constraint entries_voice check (kind = 'text' or (object_id is not null and content_type is not null and size_bytes is not null))
);

create unique index entries_by_change on entries (tenant_id, user_id, change_number);
create index entries_by_date on entries (tenant_id, user_id, recorded_at desc, id desc) where deleted_at is null;
-- The sweeper looks for recordings whose app never said that they are complete.
create index entries_awaiting on entries (created_at, id) where status = 'awaiting_upload' and deleted_at is null;

-- An upload and the sweeper ask whose object it is.
create index entries_by_object on entries (tenant_id, user_id, object_id) where object_id is not null;

-- Words with their times: large, read one by one, never listed.
create table entry_segments (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    sealed bytea not null,
    version bigint not null,
    key_id uuid not null,
    constraint entry_segments_pk primary key (tenant_id, user_id, entry_id),
    constraint entry_segments_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade
);

-- Ids and status only, never bodies: a replay renders the answer anew.
create table idempotency_keys (
    tenant_id uuid not null,
    user_id uuid not null,
    operation text not null constraint idempotency_keys_operation check (operation in ('entry', 'export')),
    key_hash bytea not null,
    request_hash bytea not null,
    subject uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint idempotency_keys_pk primary key (tenant_id, user_id, operation, key_hash),
    constraint idempotency_keys_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

alter table entries enable row level security, force row level security;
alter table entry_segments enable row level security, force row level security;
alter table idempotency_keys enable row level security, force row level security;

create policy entries_owner on entries to diary_owner using (true) with check (true);
create policy entry_segments_owner on entry_segments to diary_owner using (true) with check (true);
create policy idempotency_keys_owner on idempotency_keys to diary_owner using (true) with check (true);

create policy entries_api on entries to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_segments_api on entry_segments to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy idempotency_keys_api on idempotency_keys to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

create policy entries_worker on entries to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy entry_segments_worker on entry_segments to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, update on entries to diary_api;
grant select, delete on entry_segments to diary_api;
grant select, insert on idempotency_keys to diary_api;
grant select, update on entries to diary_worker;
grant select, insert, update, delete on entry_segments to diary_worker;
