-- Date-range exports, and mails that wait to be sent (sealed: a code or an address never lies in a queue).

create table exports (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    from_day date not null,
    to_day date not null,
    time_zone text not null,
    include_audio boolean not null,
    status text not null default 'queued' constraint exports_status check (status in ('queued', 'building', 'ready', 'failed')),
    code text,
    mail_status text not null default 'waiting' constraint exports_mail_status check (mail_status in ('waiting', 'sent', 'failed')),
    object_id uuid,
    key_id uuid,
    size_bytes bigint,
    entry_count int,
    created_at timestamptz not null default clock_timestamp(),
    ready_at timestamptz,
    -- The link ends here, and the zip is deleted.
    expires_at timestamptz,
    downloads int not null default 0,
    max_downloads int not null,
    revoked_at timestamptz,
    request_hash bytea not null,
    constraint exports_pk primary key (tenant_id, user_id, id),
    constraint exports_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint exports_range check (from_day <= to_day)
);

create index exports_by_age on exports (tenant_id, user_id, created_at desc, id desc);

create table mails (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    kind text not null constraint mails_kind check (kind in ('verification_code', 'address_already_registered', 'export_ready')),
    payload bytea not null,
    key_id uuid not null,
    subject uuid,
    status text not null default 'waiting' constraint mails_status check (status in ('waiting', 'sent', 'failed')),
    created_at timestamptz not null default clock_timestamp(),
    sent_at timestamptz,
    constraint mails_pk primary key (tenant_id, user_id, id),
    constraint mails_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

alter table exports enable row level security, force row level security;
alter table mails enable row level security, force row level security;

create policy exports_owner on exports to diary_owner using (true) with check (true);
create policy mails_owner on mails to diary_owner using (true) with check (true);
create policy exports_api on exports to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy mails_auth on mails to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy exports_worker on exports to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy mails_worker on mails to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

grant select, insert, update on exports to diary_api;
-- Sign-in counts what it sent, and reads no payload.
grant insert, select (tenant_id, user_id, id, kind, created_at) on mails to diary_auth;
grant select, insert, update, delete on exports, mails to diary_worker;
