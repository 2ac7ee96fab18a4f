-- The audit actor of a request without a session is called 'anonymous', the word of the contract; before, it was 'stranger'.

alter table audit_events drop constraint audit_events_actor;

-- Runs as diary_owner, whose policy covers every row.
update audit_events set actor = 'anonymous' where actor = 'stranger';

alter table audit_events
    add constraint audit_events_actor check (actor in ('member', 'anonymous', 'admin', 'provider', 'service'));

-- rotate_session and processes of the version before still name the actor by its earlier word.
create or replace function record_event(tenant uuid, member uuid, event text, actor text, session uuid, request text) returns void
    language sql
    as $$
        insert into audit_events (tenant_id, user_id, kind, actor, session_id, request_id)
        values (tenant, member, event, case actor when 'stranger' then 'anonymous' else actor end, session, request)
    $$;
