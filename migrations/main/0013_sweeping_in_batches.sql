-- What is swept is found by an index and goes in batches, each a statement of its own: one that is cut off by its time limit must not leave more for
-- the next. Times are compared with `statement_timestamp()`: no index is searched for a volatile one. And a sign-up that nobody ever confirmed ends as an account does that is erased (0010, decision 0022), so that its data key goes too.

create index users_by_age on users (created_at, id);
create index sessions_by_end on sessions (expires_at);
create index email_codes_by_end on email_codes (expires_at);
create index mails_by_age on mails (created_at);
create index audit_events_by_age on audit_events (at);
create index entries_by_deletion on entries (tenant_id, deleted_at) where deleted_at is not null;
-- For the foreign key: an account that goes takes its finished jobs with it.
create index jobs_by_user on jobs (tenant_id, user_id);

-- A week old, nothing proved, and no code of it still lives.
create view abandoned_sign_ups with (security_invoker = true) as
    select u.tenant_id, u.id as user_id, u.created_at from users u
    where u.deleted_at is null and u.created_at < statement_timestamp() - interval '7 days'
        and not exists (select from identities i where i.tenant_id = u.tenant_id and i.user_id = u.id and i.verified_at is not null)
        and not exists (select from email_codes c where c.tenant_id = u.tenant_id and c.user_id = u.id and c.expires_at > statement_timestamp());

-- A page of accounts a week old, after the given place, or the first one when that is null: ids, and whether each is an abandoned sign-up.
create function sweep_sign_ups(after_created timestamptz, after_user uuid, most int)
    returns table (tenant_id uuid, user_id uuid, created_at timestamptz, is_abandoned boolean)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select u.tenant_id, u.id, u.created_at,
            -- With the offset it is asked for each account; without, all abandoned sign-ups would be collected for every page.
            exists (select from public.abandoned_sign_ups a where a.tenant_id = u.tenant_id and a.user_id = u.id offset 0)
        from public.users u
        where u.deleted_at is null and u.created_at < statement_timestamp() - interval '7 days'
            and (u.created_at, u.id) > (coalesce(after_created, '-infinity'), coalesce(after_user, '00000000-0000-0000-0000-000000000000'))
        order by u.created_at, u.id limit most
    $$;

-- Sign-ups that nobody confirmed wait behind what people have asked for.
alter table deletions add column asked_for boolean not null default true;

-- Finished jobs, spent idempotency keys, used codes, sent mails, ended sessions, old events, challenges and notices past their end. Up to `most` rows of
-- each; answers the largest number of one kind: as long as that is `most` there may be more. What another sweeper is at is left to it.
create function sweep_bookkeeping(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with jobs as (
            delete from public.jobs where ctid = any (array(select j.ctid from public.jobs j
                where j.state in ('done', 'dead') and j.finished_at < statement_timestamp() - interval '7 days'
                    and (j.state = 'done' or j.finished_at < statement_timestamp() - interval '30 days')
                limit most for update skip locked)) returning 1),
        spent as (
            delete from public.idempotency_keys where ctid = any (array(select k.ctid from public.idempotency_keys k
                where k.created_at < statement_timestamp() - interval '48 hours' limit most for update skip locked)) returning 1),
        codes as (
            delete from public.email_codes where ctid = any (array(select c.ctid from public.email_codes c
                where c.expires_at < statement_timestamp() - interval '1 day' limit most for update skip locked)) returning 1),
        mails as (
            delete from public.mails where ctid = any (array(select m.ctid from public.mails m
                where m.created_at < statement_timestamp() - interval '7 days' limit most for update skip locked)) returning 1),
        sessions as (
            delete from public.sessions where ctid = any (array(select s.ctid from public.sessions s
                where s.expires_at < statement_timestamp() - interval '30 days' limit most for update skip locked)) returning 1),
        events as (
            delete from public.audit_events where ctid = any (array(select e.ctid from public.audit_events e
                where e.at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1),
        challenges as (
            delete from public.sign_in_challenges where ctid = any (array(select c.ctid from public.sign_in_challenges c
                where c.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        notices as (
            delete from public.provider_notices where ctid = any (array(select n.ctid from public.provider_notices n
                where n.expires_at < statement_timestamp() limit most for update skip locked)) returning 1)
        select greatest((select count(*) from jobs), (select count(*) from spent), (select count(*) from codes), (select count(*) from mails),
            (select count(*) from sessions), (select count(*) from events), (select count(*) from challenges), (select count(*) from notices))
    $$;

-- Codes that Apple takes no longer, and revocations that failed for 7 days. There are few: a grant is a person's who came by Apple.
create function sweep_apple_grants() returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    delete from public.apple_grants where revoke_requested_at < statement_timestamp() - interval '7 days'
        or (token_sealed is null and code_at < statement_timestamp() - interval '10 minutes');
    get diagnostics gone = row_count;
    update public.apple_grants set code_sealed = null, code_at = null where code_at < statement_timestamp() - interval '10 minutes';
    return gone;
end $$;

create index apple_grants_with_code on apple_grants (code_at) where code_at is not null;
create index apple_grants_to_revoke on apple_grants (revoke_requested_at) where revoke_requested_at is not null;

-- Up to `most` tombstones, older than their app keeps them. One sweeper at a time: two would take the users' locks in different orders.
create function sweep_tombstones(most int) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('sweep_tombstones')) then
        return 0;
    end if;
    with old as materialized (
        select x.* from public.tenants a, lateral (
            select e.tenant_id, e.user_id, e.id, e.change_number from public.entries e
            where e.tenant_id = a.id and e.deleted_at < statement_timestamp() - public.tombstone_age(a.configuration)
            order by e.deleted_at limit most) x
        limit most),
    -- The user's lock first, then their tombstones (decision D9).
    marked as (
        update public.user_sync s set purged_through = greatest(s.purged_through, t.last)
        from (select o.tenant_id, o.user_id, max(o.change_number) as last from old o group by o.tenant_id, o.user_id) t
        where t.tenant_id = s.tenant_id and t.user_id = s.user_id returning s.tenant_id, s.user_id)
    delete from public.entries e using old o join marked m on m.tenant_id = o.tenant_id and m.user_id = o.user_id
        where e.tenant_id = o.tenant_id and e.user_id = o.user_id and e.id = o.id;
    get diagnostics gone = row_count;
    return gone;
end $$;

-- What workers of the version before this one call, until the last of them is replaced.
create or replace function sweep_bookkeeping() returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$ select public.sweep_bookkeeping(1000) + public.sweep_tombstones(1000) $$;
create or replace function sweep_sign_in() returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$ select public.sweep_apple_grants() $$;
create or replace function sweep_sessions() returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$ select 0::bigint $$;

grant execute on function sweep_sign_ups(timestamptz, uuid, int), sweep_bookkeeping(int),
    sweep_apple_grants(), sweep_tombstones(int) to diary_worker;
