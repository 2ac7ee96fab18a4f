-- What happened to an account: append-only, ids and kinds only; no content, no address. The member reads their own; whoever
-- changes an account writes the event in the same transaction.

create table audit_events (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null default gen_random_uuid(),
    at timestamptz not null default clock_timestamp(),
    -- Stable strings, e.g. 'signed_in'; AuditEvent.Kind lists them.
    kind text not null constraint audit_events_kind check (kind ~ '^[a-z][a-z_]{2,40}$'),
    -- Who did it: the member, somebody without a session (a wrong password, a reused token), an administrator, a provider's notice, the service itself.
    actor text not null constraint audit_events_actor check (actor in ('member', 'stranger', 'admin', 'provider', 'service')),
    session_id uuid,
    -- The request's id in our logs; null where no request was.
    request_id text constraint audit_events_request check (char_length(request_id) between 1 and 64),
    constraint audit_events_pk primary key (tenant_id, user_id, id),
    constraint audit_events_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index audit_events_by_time on audit_events (tenant_id, user_id, at desc, id desc);

alter table audit_events enable row level security, force row level security;

create policy audit_events_owner on audit_events to diary_owner using (true) with check (true);
create policy audit_events_api on audit_events to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy audit_events_auth on audit_events to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy audit_events_worker on audit_events to diary_worker
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- Nobody may change or delete one; they go with the account, or when they are old.
grant select, insert on audit_events to diary_api;
grant insert on audit_events to diary_auth, diary_worker;

create function record_event(tenant uuid, member uuid, event text, actor text, session uuid, request text) returns void
    language sql
    as $$
        insert into audit_events (tenant_id, user_id, kind, actor, session_id, request_id)
        values (tenant, member, event, actor, session, request)
    $$;

grant execute on function record_event(uuid, uuid, text, text, uuid, text) to diary_api, diary_auth, diary_worker;
