-- What an engine has heard of a part of a long recording, kept until the whole text is stored: a try after a crash asks, and pays, for the
-- other parts only. Sealed as an entry's segments are.
create table speech_parts (
    tenant_id uuid not null,
    user_id uuid not null,
    entry_id uuid not null,
    -- The recording: an entry gets another object when it is uploaded again.
    object_id uuid not null,
    -- Name and model.
    engine text not null,
    part int not null constraint speech_parts_part check (part >= 0),
    -- Where the recording was cut, in milliseconds from its start.
    from_ms bigint not null,
    to_ms bigint not null,
    sealed bytea not null,
    key_id uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    constraint speech_parts_pk primary key (tenant_id, user_id, entry_id, object_id, engine, part),
    constraint speech_parts_entry_fk foreign key (tenant_id, user_id, entry_id)
        references entries (tenant_id, user_id, id) on delete cascade,
    constraint speech_parts_cut check (from_ms >= 0 and to_ms > from_ms)
);

create index speech_parts_by_age on speech_parts (created_at);

alter table speech_parts enable row level security, force row level security;

create policy speech_parts_owner on speech_parts to diary_owner using (true) with check (true);
create policy speech_parts_api on speech_parts to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy speech_parts_worker on speech_parts to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- A deleted entry takes its parts along; the API never reads them.
grant select (tenant_id, user_id, entry_id), delete on speech_parts to diary_api;
grant select, insert, update, delete on speech_parts to diary_worker;

-- Up to `most` parts of recordings that failed a week ago or longer. An entry whose job still waits keeps them.
create function sweep_speech_parts(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (
            delete from public.speech_parts where ctid = any (array(select p.ctid from public.speech_parts p
                where p.created_at < statement_timestamp() - interval '7 days'
                    and not exists (select from public.jobs j where j.tenant_id = p.tenant_id and j.user_id = p.user_id
                        and j.subject = p.entry_id and j.state in ('ready', 'leased'))
                limit most for update skip locked)) returning 1)
        select count(*) from gone
    $$;

grant execute on function sweep_speech_parts(int) to diary_worker;

-- Names and places that an account expects to be spoken, sealed: they say as much as the diary's words.
alter table users
    add column vocabulary_sealed bytea;

grant update (vocabulary_sealed) on users to diary_api;

-- Of one recording that an engine takes: 0 for any, null for what is usual for its kind.
alter table app_engines
    add column max_bytes bigint constraint app_engines_max_bytes check (max_bytes >= 0),
    add column max_seconds bigint constraint app_engines_max_seconds check (max_seconds >= 0);
