-- Apps (tenants), their accounts (users), what happened to an account, and keys of writes that may be repeated.
-- Addresses and subjects are keyed hashes for look-up and sealed values for use (decision D15).

-- An app: its addresses, sign-in clients and settings.
create table tenants (
    id uuid constraint tenants_pk primary key,
    slug text not null constraint tenants_slug_key unique
        constraint tenants_slug_form check (slug ~ '^[a-z][a-z0-9-]{1,38}[a-z0-9]$'),
    name text not null constraint tenants_name_length check (char_length(name) between 1 and 100),
    mail_from_name text not null,
    mail_from_address text not null,
    created_at timestamptz not null default clock_timestamp(),
    suspended_at timestamptz,
    -- The client ids that may stand in a token's `aud`; none means that this sign-in method is closed.
    apple_client_ids text[] not null default '{}' constraint tenants_apple_client_ids
        check (cardinality(apple_client_ids) <= 20 and array_position(apple_client_ids, null) is null and '' <> all (apple_client_ids)),
    google_client_ids text[] not null default '{}' constraint tenants_google_client_ids
        check (cardinality(google_client_ids) <= 20 and array_position(google_client_ids, null) is null and '' <> all (google_client_ids)),
    -- Names and values as `diary tenant settings` lists them; validated before they are written, unknown names are ignored.
    configuration jsonb not null default '{}'
        constraint tenants_configuration_form check (jsonb_typeof(configuration) = 'object' and octet_length(configuration::text) <= 327680),
    -- The app of requests that name none, on a service of several apps and where no app has the request's host. One at most.
    is_default boolean not null default false
);

create unique index tenants_one_default on tenants (is_default) where is_default;

-- An app holds no person's data: the service reads it, administrators write it.
grant select on tenants to diary_api, diary_auth, diary_worker;
grant select, insert, update on tenants to diary_admin;

-- An account. Settings of the member are columns here.
create table users (
    tenant_id uuid not null constraint users_tenant_fk references tenants (id),
    id uuid not null,
    -- Null where the member came by Apple or Google and has given no address.
    email_sealed bytea,
    name_sealed bytea,
    time_zone text not null default 'UTC',
    locale text,
    created_at timestamptz not null default clock_timestamp(),
    deleted_at timestamptz,
    -- Set by an administrator: no sign-in method works, and every session has ended. What is there stays.
    disabled_at timestamptz,
    -- Minutes after midnight at which a diary's day ends: at three in the morning it is still yesterday.
    day_ends_minute int not null default 0 constraint users_day_ends check (day_ends_minute between 0 and 719),
    -- Languages to listen for; empty is any.
    languages text[] not null default '{}' constraint users_languages check (cardinality(languages) <= 20),
    -- Part of what signs a playback link: links of a lower one are refused.
    link_generation bigint not null default 0,
    -- Names of engines of the app's chains, asked before the others; a name that the chain has not (any more) counts as none.
    speech_engine text constraint users_speech_engine check (speech_engine ~ '^[a-z][a-z0-9-]{0,39}$'),
    text_engine text constraint users_text_engine check (text_engine ~ '^[a-z][a-z0-9-]{0,39}$'),
    -- Names and places that the account expects to be spoken, sealed: they say as much as the diary's words.
    vocabulary_sealed bytea,
    -- When the account's devices ring, sealed: it is neither sorted nor selected by.
    reminder_sealed bytea,
    -- When the member consented to engines outside the machine; null: not, or no longer.
    hosted_processing_consent_at timestamptz,
    -- After how many days the member wants recordings removed; null: as the app says.
    recordings_retention_days int constraint users_recordings_retention check (recordings_retention_days between 1 and 36500),
    -- The look-up hash of the account's address, as of the last mail to it. An account without mail has none, and no report either.
    mailed_hash bytea constraint users_mailed_hash check (octet_length(mailed_hash) = 32),
    constraint users_pk primary key (tenant_id, id)
);

create index users_by_age on users (created_at, id);
create index users_with_retention on users (tenant_id, id) where recordings_retention_days is not null;

alter table users enable row level security, force row level security;
create policy users_owner on users to diary_owner using (true) with check (true);
create policy users_api on users to diary_api using (tenant_id = current_tenant() and id = current_member())
    with check (tenant_id = current_tenant() and id = current_member());
create policy users_auth on users to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy users_worker on users to diary_worker using (tenant_id = current_tenant() and id = current_member())
    with check (tenant_id = current_tenant() and id = current_member());
grant select, update (email_sealed, name_sealed, time_zone, locale, deleted_at, day_ends_minute, languages, speech_engine, text_engine,
    vocabulary_sealed, reminder_sealed, hosted_processing_consent_at, recordings_retention_days) on users to diary_api;
grant select, insert, update (email_sealed, name_sealed, time_zone, locale) on users to diary_auth;
grant select on users to diary_worker;

-- One narrow row for each account: the change number (decision D9), and the data key that is live. Every transaction that touches the
-- user's rows bumps it first; its row lock is the first lock taken everywhere.
create table user_sync (
    tenant_id uuid not null,
    user_id uuid not null,
    change_number bigint not null default 0,
    -- Tombstones up to here are gone; an older sync position must start again (410).
    purged_through bigint not null default 0,
    key_id uuid not null,
    -- When the account was closed. On the row whose lock every transaction takes first, so that one that waited for it sees that the
    -- account is going: a condition on `users` would be looked at with the snapshot from before the wait.
    closed_at timestamptz,
    -- The bytes of the account's recordings, from their announcement on.
    stored_bytes bigint not null default 0,
    -- The time of the newest tombstone that was purged: a feed that begins at a time says 410 when a deletion since then was purged. How
    -- long tombstones are kept is a setting of the app, which may have been another one then. Null until the first purge.
    purged_before timestamptz,
    constraint user_sync_pk primary key (tenant_id, user_id),
    constraint user_sync_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
) with (fillfactor = 50);

alter table user_sync enable row level security, force row level security;
create policy user_sync_owner on user_sync to diary_owner using (true) with check (true);
create policy user_sync_api on user_sync to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy user_sync_auth on user_sync to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy user_sync_worker on user_sync to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, update on user_sync to diary_api, diary_worker;
grant select, insert, update (change_number) on user_sync to diary_auth;

-- Takes the account's lock and the next change number. Stops when the data key that sealed the caller's words is no longer the live one,
-- and when the account is being erased.
create function bump_change(tenant uuid, member uuid, live_key uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and key_id = live_key and closed_at is null
        returning change_number into taken;
    if taken is null then
        raise exception 'the key is not live' using errcode = 'DI409';
    end if;
    return taken;
end $$;

-- The same for callers that seal nothing, whatever key is live. Stops when there is no such account.
create function touch_owner(tenant uuid, member uuid) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and closed_at is null
        returning change_number into taken;
    if taken is null then
        raise exception 'there is no such user' using errcode = 'DI404';
    end if;
    return taken;
end $$;

-- Whether what needs no session may still be reached: mailed zips, playback, uploads.
create function account_is_open(tenant uuid, member uuid) returns boolean
    language sql stable
    as $$
        select exists (select from users u join tenants t on t.id = u.tenant_id
            where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.disabled_at is null and t.suspended_at is null)
    $$;

-- What happened to an account: append-only, ids and kinds only; no content, no address. The member reads their own. What changes an account
-- writes its event in the same transaction.
create table audit_events (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null default gen_random_uuid(),
    at timestamptz not null default clock_timestamp(),
    -- Stable strings, e.g. 'signed_in'; AuditEvent.Kind lists them.
    kind text not null constraint audit_events_kind check (kind ~ '^[a-z][a-z_]{2,40}$'),
    -- Who did it: the member, the holder of a token or link without a session (a reused token), an administrator, a provider's notice,
    -- the service itself.
    actor text not null constraint audit_events_actor check (actor in ('member', 'anonymous', 'admin', 'provider', 'service')),
    session_id uuid,
    -- The request's id in the logs; null where no request was.
    request_id text constraint audit_events_request check (char_length(request_id) between 1 and 64),
    constraint audit_events_pk primary key (tenant_id, user_id, id),
    constraint audit_events_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index audit_events_by_time on audit_events (tenant_id, user_id, at desc, id desc);
create index audit_events_by_age on audit_events (at);

alter table audit_events enable row level security, force row level security;
create policy audit_events_owner on audit_events to diary_owner using (true) with check (true);
create policy audit_events_api on audit_events to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy audit_events_auth on audit_events to diary_auth using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
create policy audit_events_worker on audit_events to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
-- None is changed or deleted; they go with the account, or when they are old.
grant select, insert on audit_events to diary_api;
grant insert on audit_events to diary_auth, diary_worker;

-- A year, and time to notice.
create function sweep_audit_events(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('audit_events', $$at < statement_timestamp() - interval '400 days'$$, most);

create function record_event(tenant uuid, member uuid, event text, actor text, session uuid, request text) returns void
    language sql
    as $$
        insert into audit_events (tenant_id, user_id, kind, actor, session_id, request_id)
        values (tenant, member, event, actor, session, request)
    $$;

-- Keys of writes that may be repeated (`Idempotency-Key`). Ids and status only, never bodies: a replay renders the answer anew.
create table idempotency_keys (
    tenant_id uuid not null,
    user_id uuid not null,
    -- `KeyClaim.Operation` in the program lists them.
    operation text not null,
    key_hash bytea not null,
    request_hash bytea not null,
    subject uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    -- Of a batch that has ended: one status code or error code for each of its operations, in order.
    results text[],
    constraint idempotency_keys_pk primary key (tenant_id, user_id, operation, key_hash),
    constraint idempotency_keys_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

alter table idempotency_keys enable row level security, force row level security;
create policy idempotency_keys_owner on idempotency_keys to diary_owner using (true) with check (true);
create policy idempotency_keys_api on idempotency_keys to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy idempotency_keys_auth on idempotency_keys to diary_auth using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select, insert, update (results) on idempotency_keys to diary_api;
-- Codes and identities are written by the role of sign-in, in transactions of the member who asks for them. It never reads the keys.
grant insert on idempotency_keys to diary_auth;

create function sweep_idempotency_keys(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('idempotency_keys', $$created_at < statement_timestamp() - interval '48 hours'$$, most);

grant execute on function bump_change to diary_api, diary_worker;
grant execute on function touch_owner, sweep_audit_events, sweep_idempotency_keys to diary_worker;
grant execute on function account_is_open, record_event to diary_api, diary_auth, diary_worker;
