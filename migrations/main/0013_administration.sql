-- What operators may know and do by `diary` commands. Each function runs as its owner, is granted to diary_admin alone, and shows ids,
-- times and counts, never words. What is done is noted in `tenant_acts` with who did it, in the same transaction.

-- Who changed what about an app or an account of it. Append-only. An account's own events go with its rows; this stays, and therefore holds
-- no user id: it names no person but the operator. Acts on all apps at once have the slug `*`, which no app has.
create table tenant_acts (
    id uuid not null default gen_random_uuid() constraint tenant_acts_pk primary key,
    slug text not null,
    at timestamptz not null default clock_timestamp(),
    -- Listed by the program.
    act text not null,
    -- Names of the settings that changed, without their values.
    settings text[] not null default '{}',
    operator text not null constraint tenant_acts_operator check (char_length(operator) between 1 and 100)
);

create index tenant_acts_by_time on tenant_acts (slug, at desc);

grant select, insert on tenant_acts to diary_admin;

-- Notes an act on an app, or on an account of it.
create function note_act(tenant uuid, done text, operator text) returns void
    language sql
    as $$
        insert into public.tenant_acts (slug, act, operator) select t.slug, done, operator from public.tenants t where t.id = tenant
    $$;

-- Notes an act on the work of an app, or of all.
create function note_work_act(tenant uuid, done text, queue text, operator text) returns void
    language sql
    as $$
        insert into public.tenant_acts (slug, act, settings, operator)
            select coalesce((select t.slug from public.tenants t where t.id = tenant), '*'), done,
                case when queue is null then '{}' else array[queue] end, operator
    $$;

-- Accounts

create function admin_find_user(tenant uuid, address_hash bytea) returns uuid
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select i.user_id from public.identities i where i.tenant_id = tenant and i.issuer = 'email' and i.subject_hash = address_hash
    $$;

-- Accounts of an app that are not being erased yet, a page at a time.
create function admin_users(tenant uuid, after_user uuid, most int) returns setof uuid
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select u.id from public.users u where u.tenant_id = tenant and u.deleted_at is null
            and u.id > coalesce(after_user, '00000000-0000-0000-0000-000000000000')
        order by u.id limit most
    $$;

create function admin_user(tenant uuid, member uuid)
    returns table (created_at timestamptz, disabled_at timestamptz, deleted_at timestamptz, ways_in text[], sessions bigint,
        last_used_at timestamptz, entries bigint, recording_bytes bigint, exports bigint, waiting_jobs bigint, dead_jobs bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select u.created_at, u.disabled_at, u.deleted_at,
            array(select i.issuer || case when i.verified_at is null then ' (not verified)' else '' end from public.identities i
                where i.tenant_id = tenant and i.user_id = member order by 1),
            (select count(*) from public.sessions s where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null
                and least(s.expires_at, s.idle_expires_at) > clock_timestamp()),
            (select max(s.last_used_at) from public.sessions s where s.tenant_id = tenant and s.user_id = member),
            e.entries, e.bytes,
            (select count(*) from public.exports x where x.tenant_id = tenant and x.user_id = member),
            j.waiting, j.dead
        from public.users u,
            lateral (select count(*) as entries, coalesce(sum(size_bytes), 0)::bigint as bytes from public.entries e
                where e.tenant_id = tenant and e.user_id = member and e.deleted_at is null) e,
            lateral (select count(*) filter (where state in ('ready', 'leased')) as waiting, count(*) filter (where state = 'dead') as dead
                from public.jobs j where j.tenant_id = tenant and j.user_id = member) j
        where u.tenant_id = tenant and u.id = member
    $$;

-- Disabled, an account keeps everything and cannot be entered; its sessions, API tokens, links and codes end. Nothing is noted when it was so already,
-- or when there is no such account.
create function admin_set_disabled(tenant uuid, member uuid, disabled boolean, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    done constant text := case when disabled then 'user_disabled' else 'user_enabled' end;
begin
    perform from public.user_sync s where s.tenant_id = tenant and s.user_id = member for update;
    update public.users u set disabled_at = case when disabled then clock_timestamp() end
        where u.tenant_id = tenant and u.id = member and u.deleted_at is null and (u.disabled_at is not null) <> disabled;
    if not found then
        return exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null);
    end if;
    if disabled then
        update public.sessions s set revoked_at = clock_timestamp()
            where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null;
        delete from public.api_tokens k where k.tenant_id = tenant and k.user_id = member;
        perform public.end_links_and_codes(tenant, member);
    end if;
    perform public.record_event(tenant, member, done, 'admin', null, null);
    perform public.note_act(tenant, done, operator);
    return true;
end $$;

-- One session, or all when it is null; with all of them links and codes end. Answers how many ended.
create function admin_revoke_sessions(tenant uuid, member uuid, session uuid, operator text) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    ended bigint;
begin
    if session is null then
        perform public.end_links_and_codes(tenant, member);
    end if;
    update public.sessions s set revoked_at = clock_timestamp()
        where s.tenant_id = tenant and s.user_id = member and s.revoked_at is null and (session is null or s.id = session);
    get diagnostics ended = row_count;
    if ended > 0 then
        perform public.record_event(
            tenant, member, case when session is null then 'sessions_revoked' else 'session_revoked' end, 'admin', session, null);
        perform public.note_act(tenant, 'sessions_revoked', operator);
    end if;
    return ended;
end $$;

-- An account whose address an operator vouches for, with the password that its owner is told. Its data key is in the key database already.
-- The primary key of `identities` stops the transaction when the address has an account.
create function admin_create_user(
    tenant uuid, member uuid, live_key uuid, address_hash bytea, address_sealed bytea, sealed_name bytea, password text, named_zone text,
    operator text) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    insert into public.users (tenant_id, id, email_sealed, name_sealed, time_zone)
        values (tenant, member, address_sealed, sealed_name, (select public.zone_name(named_zone) where now() at time zone named_zone is not null));
    insert into public.user_sync (tenant_id, user_id, key_id) values (tenant, member, live_key);
    insert into public.identities (tenant_id, user_id, issuer, subject_hash, password_phc, verified_at)
        values (tenant, member, 'email', address_hash, password, clock_timestamp());
    perform public.record_event(tenant, member, 'registered', 'admin', null, null);
    perform public.note_act(tenant, 'user_created', operator);
end $$;

-- An account's API tokens, newest first: no names.
create function admin_api_tokens(tenant uuid, member uuid)
    returns table (id uuid, scopes text[], created_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select k.id, k.scopes, k.created_at, k.expires_at, k.last_used_at from public.api_tokens k
        where k.tenant_id = tenant and k.user_id = member order by k.created_at desc, k.id desc
    $$;

-- One token, or all when it is null. Answers how many ended.
create function admin_revoke_api_tokens(tenant uuid, member uuid, token uuid, operator text) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    gone uuid;
    ended bigint := 0;
begin
    for gone in
        delete from public.api_tokens k where k.tenant_id = tenant and k.user_id = member and (token is null or k.id = token)
        returning k.id
    loop
        perform public.record_event(tenant, member, 'token_revoked', 'admin', gone, null);
        ended := ended + 1;
    end loop;
    if ended > 0 then
        perform public.note_act(tenant, 'tokens_revoked', operator);
    end if;
    return ended;
end $$;

-- Null when there is no such account, or it is being erased. Without an operator nothing is noted: the erasure of an app erases its
-- accounts, and that is one act of the app's.
create function admin_request_erasure(
    tenant uuid, member uuid, deletion uuid, receipt bytea, sealed bytea, upload_seconds double precision, operator text)
    returns timestamptz
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    stamp timestamptz;
begin
    if not exists (select from public.users u where u.tenant_id = tenant and u.id = member and u.deleted_at is null) then
        return null;
    end if;
    stamp := public.request_erasure(tenant, member, null, true, deletion, receipt, sealed, upload_seconds, null, 'admin');
    if operator is not null then
        perform public.note_act(tenant, 'user_erased', operator);
    end if;
    return stamp;
end $$;

-- Deletes the app itself, when it is suspended and no account is left in it. False when one is.
create function admin_erase_tenant(tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    if exists (select from public.users u where u.tenant_id = tenant) then
        return false;
    end if;
    -- In one step with its note: a second run of the command must not find the app gone and nothing written.
    with gone as (delete from public.tenants t where t.id = tenant and t.suspended_at is not null returning t.slug)
        insert into public.tenant_acts (slug, act, operator) select slug, 'erased', operator from gone;
    return found;
end $$;

-- Jobs

-- Jobs that match every argument that is not null, newest first.
create function admin_jobs(job uuid, about uuid, member uuid, tenant uuid, states text[], most int)
    returns table (id uuid, tenant_id uuid, slug text, user_id uuid, kind text, subject uuid, state text, attempts int, errors int,
        crashes int, code text, run_at timestamptz, lease_until timestamptz, leased_by text, created_at timestamptz,
        finished_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select j.id, j.tenant_id, t.slug, j.user_id, j.kind, j.subject, j.state, j.attempt, j.errors, j.crashes,
            j.code, j.run_at, j.lease_until, j.leased_by, j.created_at, j.finished_at
        from public.jobs j join public.tenants t on t.id = j.tenant_id
        where (job is null or j.id = job) and (about is null or j.subject = about) and (member is null or j.user_id = member)
            and (tenant is null or j.tenant_id = tenant) and (states is null or j.state = any (states))
        order by j.created_at desc, j.id desc limit most
    $$;

-- How far an entry is. Ids of entries are made by clients, so several accounts may have the same one. One look at an index for each
-- account: no index begins with the entry's id.
create function admin_entry(entry uuid)
    returns table (tenant_id uuid, slug text, user_id uuid, kind text, status text, stage text, stage_attempt int, stage_code text,
        stage_next_at timestamptz, created_at timestamptz, uploaded_at timestamptz, deleted_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select e.tenant_id, t.slug, e.user_id, e.kind, e.status, e.stage, e.stage_attempt, e.stage_code,
            e.stage_next_at, e.created_at, e.uploaded_at, e.deleted_at
        from public.tenants t join public.users u on u.tenant_id = t.id
            cross join lateral (
                select x.* from public.entries x where x.tenant_id = u.tenant_id and x.user_id = u.id and x.id = entry offset 0) e
        order by e.created_at
    $$;

-- Each kind and state: how many jobs, how many of them could run now, and since when the oldest of those waits.
create function admin_job_counts()
    returns table (kind text, state text, jobs bigint, due bigint, oldest_due timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select j.kind, j.state, count(*), count(*) filter (where j.state = 'ready' and j.run_at <= clock_timestamp()),
            min(j.run_at) filter (where j.state = 'ready' and j.run_at <= clock_timestamp())
        from public.jobs j group by j.kind, j.state order by j.kind, j.state
    $$;

-- How many entries wait for a job that is not there, for `diary jobs stats`.
create function admin_stranded() returns bigint
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select count(*) from public.sweep_stranded(interval '1 minute', 10000) $$;

-- Holds a queue, of one app or of all. False when it was held already.
create function admin_pause_work(of_queue text, tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    insert into public.paused_work (queue, app, operator) values (of_queue, tenant, operator) on conflict do nothing;
    if not found then return false; end if;
    perform public.note_work_act(tenant, 'work_paused', of_queue, operator);
    return true;
end $$;

-- Lets a queue go on. False when it was not held.
create function admin_resume_work(of_queue text, tenant uuid, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.paused_work p where p.queue = of_queue and p.app is not distinct from tenant;
    if not found then return false; end if;
    perform public.note_work_act(tenant, 'work_resumed', of_queue, operator);
    return true;
end $$;

create function admin_paused_work() returns table (queue text, slug text, at timestamptz, operator text)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select p.queue, t.slug, p.at, p.operator from public.paused_work p left join public.tenants t on t.id = p.app
        order by p.queue, t.slug nulls first
    $$;

-- Makes jobs that have failed permanently ready again, tries counted anew, and their entries and exports wait as before. A page in the
-- order of ids, one row for each job looked at; `again` is false where there is nothing left to do: the entry was deleted, was retried by
-- its owner or has another job, or it is a mail, whose words are not kept.
-- An entry that had its texts is `transcribed` with the stage and the code of the failure. It has these texts while the run is tried again,
-- and after another failure. The mail of an export waits again, unless the mails of its schedule were ended meanwhile.
-- `stages`: the kinds that work on entries; `statuses`, `running`: what an entry is while it waits for each of them, the first time and in
-- such a run. `exports`: kinds that work on exports.
create function admin_retry_jobs(
    job uuid, of_code text, tenant uuid, after uuid, most int, stages text[], statuses text[], running text[], exports text[], operator text
) returns table (id uuid, kind text, again boolean)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    dead public.jobs;
    number bigint;
    apps uuid[] := '{}';
begin
    for dead in
        select j.* from public.jobs j
        where j.state = 'dead' and (job is null or j.id = job) and (of_code is null or j.code = of_code)
            and (tenant is null or j.tenant_id = tenant) and (after is null or j.id > after)
        order by j.id limit most
    loop
        id := dead.id;
        kind := dead.kind;
        again := false;
        -- The user's lock first (decision D9).
        update public.user_sync s set change_number = s.change_number + 1
            where s.tenant_id = dead.tenant_id and s.user_id = dead.user_id and s.closed_at is null returning s.change_number into number;
        if number is not null and not exists (select from public.jobs o where o.tenant_id = dead.tenant_id and o.user_id = dead.user_id
                and o.kind = dead.kind and o.subject = dead.subject and o.state in ('ready', 'leased')) then
            if dead.kind = any (stages) then
                update public.entries e set
                        status = (case e.status when 'transcribed' then running else statuses end)[array_position(stages, dead.kind)],
                        rerun_from = case e.status when 'transcribed' then dead.kind end, stage_attempt = 0, stage_code = null,
                        stage_next_at = null, updated_at = clock_timestamp(), change_number = number
                    where e.tenant_id = dead.tenant_id and e.user_id = dead.user_id and e.id = dead.subject and e.deleted_at is null
                        and (e.status = 'failed' or e.status = 'transcribed' and e.stage_code is not null) and e.stage = dead.kind;
                again := found;
            elsif dead.kind = any (exports) then
                update public.exports x set status = 'queued', code = null,
                        mail_status = case x.mail_status when 'failed' then 'waiting' else x.mail_status end,
                        mail_asked = x.mail_asked and not exists (select from public.export_schedules s
                            where s.tenant_id = x.tenant_id and s.user_id = x.user_id and s.id = x.schedule_id and not s.mail)
                    where x.tenant_id = dead.tenant_id and x.user_id = dead.user_id and x.id = dead.subject and x.status = 'failed'
                        and x.revoked_at is null;
                again := found;
            end if;
        end if;
        if again then
            update public.jobs j set state = 'ready', run_at = clock_timestamp(), errors = 0, crashes = 0, code = null, progress = null,
                    finished_at = null
                where j.id = dead.id and j.state = 'dead';
            apps := apps || dead.tenant_id;
        end if;
        return next;
    end loop;
    perform public.note_work_act(a.app, 'jobs_retried', null, operator) from (select distinct unnest(apps) as app) a;
end $$;

-- Lets jobs that wait for a later time run now, with what their entries say of the next try: what they wait for, such as an engine or a
-- limit, has been mended. A page in the order of ids, one row for each job looked at;
-- `again` is false where a worker has taken it meanwhile, or its account is being erased. Tries stay as they are counted. `stages`: the
-- kinds that work on entries.
create function admin_hasten_jobs(job uuid, of_code text, tenant uuid, after uuid, most int, stages text[], operator text)
    returns table (id uuid, kind text, again boolean)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    waiting public.jobs;
    number bigint;
    apps uuid[] := '{}';
begin
    for waiting in
        select j.* from public.jobs j
        where j.state = 'ready' and j.is_delayed and j.run_at > clock_timestamp() and (job is null or j.id = job)
            and (of_code is null or j.code = of_code) and (tenant is null or j.tenant_id = tenant) and (after is null or j.id > after)
        order by j.id limit most
    loop
        id := waiting.id;
        kind := waiting.kind;
        again := false;
        -- The user's lock first (decision D9).
        update public.user_sync s set change_number = s.change_number + 1
            where s.tenant_id = waiting.tenant_id and s.user_id = waiting.user_id and s.closed_at is null
            returning s.change_number into number;
        if number is not null then
            update public.jobs j set run_at = clock_timestamp()
                where j.id = waiting.id and j.state = 'ready' and j.run_at > clock_timestamp();
            again := found;
        end if;
        if again then
            if waiting.kind = any (stages) then
                update public.entries e set stage_next_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = number
                    where e.tenant_id = waiting.tenant_id and e.user_id = waiting.user_id and e.id = waiting.subject
                        and e.deleted_at is null and e.stage_next_at is not null;
            end if;
            apps := apps || waiting.tenant_id;
        end if;
        return next;
    end loop;
    perform public.note_work_act(a.app, 'jobs_retried', null, operator) from (select distinct unnest(apps) as app) a;
end $$;

-- Engines, secrets and usage

-- Opens the transaction of an app by its slug; of none when there is no such app. Engines and secrets are changed under the app's lock.
create function set_app(app text) returns uuid
    language plpgsql
    as $$
declare
    found_id uuid;
begin
    select t.id into found_id from public.tenants t where t.slug = app for no key update;
    perform set_config('app.tenant_id', coalesce(found_id::text, ''), true), set_config('app.user_id', '', true);
    return found_id;
end $$;

-- Rotation of the master key: how many secrets each master seals; the sealed bytes of those that another one seals than the current; and
-- compare and set.
create function admin_count_secrets() returns table (master text, secrets bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$ select s.master_id, count(*) from public.app_secrets s group by s.master_id $$;

create function admin_secrets_to_rewrap(current_master text, after_tenant uuid, after_name text, most int)
    returns table (tenant uuid, name text, master text, sealed bytea, set_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.tenant_id, s.name, s.master_id, s.sealed, s.set_at from public.app_secrets s
        where s.master_id <> current_master
            and (s.tenant_id, s.name) > (coalesce(after_tenant, '00000000-0000-0000-0000-000000000000'), coalesce(after_name, ''))
        order by s.tenant_id, s.name limit most
    $$;

create function admin_rewrap_secret(tenant uuid, secret text, old_master text, old_sealed bytea, new_master text, new_sealed bytea)
    returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    update public.app_secrets s set master_id = new_master, sealed = new_sealed
        where s.tenant_id = tenant and s.name = secret and s.master_id = old_master and s.sealed = old_sealed;
    return found;
end $$;

-- For `diary tenant usage`: an app's days, or its accounts with what each stores now. Ids, days and numbers only.
create function admin_usage_by_day(tenant uuid, first_day date, last_day date)
    returns table (day date, audio_ms bigint, input_tokens bigint, output_tokens bigint, cost bigint, calls bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select d.day, d.audio_ms, d.input_tokens, d.output_tokens, d.cost, d.calls from public.usage_app_days d
        where d.tenant_id = tenant and d.day between first_day and last_day order by d.day
    $$;

create function admin_usage_by_user(tenant uuid, first_day date, last_day date)
    returns table (user_id uuid, audio_ms bigint, input_tokens bigint, output_tokens bigint, cost bigint, calls bigint, stored_bytes bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select s.user_id, coalesce(d.audio_ms, 0)::bigint, coalesce(d.input_tokens, 0)::bigint, coalesce(d.output_tokens, 0)::bigint,
            coalesce(d.cost, 0)::bigint, coalesce(d.calls, 0)::bigint, s.stored_bytes
        from public.user_sync s
        left join (
            select u.user_id, sum(u.audio_ms) as audio_ms, sum(u.input_tokens) as input_tokens, sum(u.output_tokens) as output_tokens,
                sum(u.cost) as cost, sum(u.calls) as calls
            from public.usage_days u where u.tenant_id = tenant and u.day between first_day and last_day group by u.user_id) d
            on d.user_id = s.user_id
        where s.tenant_id = tenant and (d.calls > 0 or s.stored_bytes > 0) order by d.cost desc nulls last, s.stored_bytes desc, s.user_id
    $$;

-- Exports

-- An export that an administrator asks for. It is mailed to the account's own verified address and to no other (decision D11), so without
-- one there is none.
-- Null: there is no such account. Otherwise `closed` (disabled, of a suspended app, or being erased), `address_not_verified`, or `created`.
create function admin_create_export(
    tenant uuid, member uuid, export uuid, first date, last date, with_audio boolean, files text[], of_layer text, of_kind text,
    most_downloads int, job uuid, job_kind text, operator text) returns text
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    if not exists (select from public.users u where u.tenant_id = tenant and u.id = member) then
        return null;
    elsif not public.account_is_open(tenant, member) then
        return 'closed';
    elsif not public.address_is_proved(tenant, member) then
        return 'address_not_verified';
    end if;
    insert into public.exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, mail_asked,
            formats, layer, kind)
        select tenant, member, export, first, last, u.time_zone, with_audio, most_downloads, ''::bytea, true, files, of_layer, of_kind
        from public.users u where u.tenant_id = tenant and u.id = member;
    -- The cost as the API says it (`JobInsertion`).
    insert into public.jobs (id, tenant_id, user_id, kind, subject, cost)
        select job, tenant, member, job_kind, export,
            0.5 + count(*) * 0.002
                + coalesce(sum(e.size_bytes) filter (where with_audio and e.audio_removed_at is null), 0) / 20000000.0
        from public.entries e where e.tenant_id = tenant and e.user_id = member and e.deleted_at is null
            and e.local_date between first and last and (of_kind is null or e.kind = of_kind);
    perform public.record_event(tenant, member, 'export_requested', 'admin', null, null);
    perform public.note_act(tenant, 'export_requested', operator);
    return 'created';
end $$;

-- Exports of an account, newest first, or one of them: states, times, counts. Nothing that is sealed.
create function admin_exports(tenant uuid, member uuid, only_export uuid, most int)
    returns table (id uuid, from_day date, to_day date, include_audio boolean, formats text[], layer text, kind text, has_tags boolean,
        status text, code text, mail_status text, size_bytes bigint, entry_count int, created_at timestamptz, ready_at timestamptz,
        expires_at timestamptz, downloads int, max_downloads int, revoked_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select x.id, x.from_day, x.to_day, x.include_audio, x.formats, x.layer, x.kind, x.tags_sealed is not null,
            case when x.revoked_at is not null then 'revoked'
                when x.status = 'ready' and x.expires_at <= statement_timestamp() then 'expired' else x.status end,
            x.code, case when x.mail_asked then x.mail_status else 'none' end, x.size_bytes, x.entry_count, x.created_at, x.ready_at,
            x.expires_at, x.downloads, x.max_downloads, x.revoked_at
        from public.exports x
        where x.tenant_id = tenant and x.user_id = member and (only_export is null or x.id = only_export)
        order by x.created_at desc, x.id desc limit most
    $$;

-- Mails

-- What is known of an app's addresses, the latest first. No address, and of the hash only its first bytes, to tell rows
-- apart.
create function admin_mail_bounces(app text, most int)
    returns table (id text, reason text, provider text, happened_at timestamptz, noted_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select encode(substr(b.address_hash, 1, 6), 'hex'), b.reason, b.provider, b.happened_at, b.noted_at
        from public.mail_bounces b join public.tenants t on t.id = b.tenant_id
        where t.slug = app order by b.noted_at desc, b.address_hash limit most
    $$;

create function admin_lift_mail_bounce(tenant uuid, hash bytea, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.mail_bounces b where b.tenant_id = tenant and b.address_hash = hash;
    if not found then return false; end if;
    perform public.note_act(tenant, 'mail_suppression_lifted', operator);
    return true;
end $$;

create function admin_mail_templates(app text) returns table (kind text, locale text, words text, html text, set_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select m.kind, m.locale, m.words, m.html, m.set_at from public.mail_templates m join public.tenants t on t.id = m.tenant_id
        where t.slug = app order by m.kind, m.locale
    $$;

-- Sets what is given and leaves the other part as it is.
create function admin_set_mail_template(tenant uuid, of_kind text, of_locale text, new_words text, new_html text, operator text)
    returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    insert into public.mail_templates as m (tenant_id, kind, locale, words, html) values (tenant, of_kind, of_locale, new_words, new_html)
        on conflict on constraint mail_templates_pk do update
            set words = coalesce(excluded.words, m.words), html = coalesce(excluded.html, m.html), set_at = clock_timestamp();
    insert into public.tenant_acts (slug, act, settings, operator)
        select t.slug, 'changed', array['mail_templates.' || of_kind || '.' || of_locale], operator
        from public.tenants t where t.id = tenant;
end $$;

create function admin_unset_mail_template(tenant uuid, of_kind text, of_locale text, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.mail_templates m where m.tenant_id = tenant and m.kind = of_kind and m.locale = of_locale;
    if not found then return false; end if;
    insert into public.tenant_acts (slug, act, settings, operator)
        select t.slug, 'changed', array['mail_templates.' || of_kind || '.' || of_locale], operator
        from public.tenants t where t.id = tenant;
    return true;
end $$;

-- Restoring

-- After a restore, by an operator. Without a time what is lost begins with the last sweep that this database knows of.
create function admin_new_epoch(lost_since timestamptz, out epoch bigint, out since timestamptz, out until timestamptz)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    mark public.sweep_mark;
begin
    select * into mark from public.sweep_mark for update;
    until := clock_timestamp();
    since := least(coalesce(lost_since, mark.at) - interval '5 minutes', until);
    epoch := public.begin_epoch(since, until);
    -- Far above the number beside the objects, so that the next sweep does not find the same restore again.
    update public.sweep_mark set number = number + 4294967296, kept = kept + tstzmultirange(tstzrange(since, until, '[]'));
end $$;

-- What is kept of the times up to `through` is given up; a later restore's stays. A client's clock type may have rounded it.
create function admin_release_kept(through timestamptz) returns void
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$ update public.sweep_mark set kept = kept - tstzmultirange(tstzrange(null, through + interval '1 millisecond', '[]')) $$;

grant execute on function admin_find_user, admin_users, admin_user, admin_set_disabled, admin_revoke_sessions, admin_request_erasure,
    admin_create_user, admin_api_tokens, admin_revoke_api_tokens, admin_erase_tenant, admin_jobs, admin_entry, admin_job_counts, admin_stranded, admin_pause_work, admin_resume_work, admin_paused_work,
    admin_retry_jobs, admin_hasten_jobs, set_app, admin_count_secrets, admin_secrets_to_rewrap, admin_rewrap_secret, admin_usage_by_day,
    admin_usage_by_user, admin_create_export, admin_exports, admin_mail_bounces, admin_lift_mail_bounce, admin_mail_templates,
    admin_set_mail_template, admin_unset_mail_template, admin_new_epoch, admin_release_kept to diary_admin;
