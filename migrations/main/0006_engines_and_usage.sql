-- Engines of an app: ordered chains for speech and for text, the secrets they are asked with, what they heard of parts of long recordings,
-- and what they used, by account and day and by app and day, with limits on it (decision 0040). Days are those of UTC. Costs are millionths
-- of the operator's currency, audio is in milliseconds.

-- An engine of an app and its place in the chain of its stage.
create table app_engines (
    tenant_id uuid not null constraint app_engines_tenant_fk references tenants (id) on delete cascade,
    stage text not null constraint app_engines_stage check (stage in ('speech', 'text')),
    -- Stored with what the engine made; no slash, which separates the model there.
    name text not null constraint app_engines_name check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    -- From 1, without gaps: the order in which engines are asked.
    position int not null constraint app_engines_position check (position >= 0),
    -- Listed by the program, as `after_failure` is: how the engine is asked.
    kind text not null,
    url text constraint app_engines_url check (octet_length(url) between 1 and 2000),
    model text constraint app_engines_model check (char_length(model) between 1 and 200),
    -- A name of app_secrets. No foreign key: a secret may be taken away and set again while the engine stays.
    secret text,
    -- A program's absolute path and its arguments.
    command text[] not null default '{}',
    timeout_seconds int not null constraint app_engines_timeout check (timeout_seconds > 0),
    slots int not null constraint app_engines_slots check (slots > 0),
    -- In millionths of the operator's currency.
    price_per_minute bigint not null default 0 constraint app_engines_price_per_minute check (price_per_minute >= 0),
    price_per_million_input bigint not null default 0
        constraint app_engines_price_per_million_input check (price_per_million_input >= 0),
    price_per_million_output bigint not null default 0
        constraint app_engines_price_per_million_output check (price_per_million_output >= 0),
    -- What the chain does when the engine fails.
    after_failure text not null,
    -- Of one recording that the engine takes: 0 for any, null for what is usual for its kind.
    max_bytes bigint constraint app_engines_max_bytes check (max_bytes >= 0),
    max_seconds bigint constraint app_engines_max_seconds check (max_seconds >= 0),
    -- Of kind openai: the server is the operator's own, and no consent is asked for it.
    is_local boolean not null default false,
    constraint app_engines_pk primary key (tenant_id, stage, name)
);

alter table app_engines enable row level security, force row level security;
create policy app_engines_owner on app_engines to diary_owner using (true) with check (true);
create policy app_engines_api on app_engines to diary_api using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy app_engines_worker on app_engines to diary_worker using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
create policy app_engines_admin on app_engines to diary_admin using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
-- What `GET /v1/config` lists: no address, no model, no name of a secret.
grant select (tenant_id, stage, name, position, kind, is_local) on app_engines to diary_api;
grant select on app_engines to diary_worker;
grant select, insert, update, delete on app_engines to diary_admin;

-- A secret with which engines of an app are asked, sealed under a master of the ring, bound to app and name. Workers open them; the
-- administrator writes them and cannot read them.
create table app_secrets (
    tenant_id uuid not null constraint app_secrets_tenant_fk references tenants (id) on delete cascade,
    name text not null constraint app_secrets_name check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    master_id text not null,
    sealed bytea not null constraint app_secrets_sealed check (octet_length(sealed) <= 16384),
    set_at timestamptz not null default clock_timestamp(),
    constraint app_secrets_pk primary key (tenant_id, name)
);

alter table app_secrets enable row level security, force row level security;
create policy app_secrets_owner on app_secrets to diary_owner using (true) with check (true);
create policy app_secrets_worker on app_secrets to diary_worker using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
create policy app_secrets_admin on app_secrets to diary_admin using (tenant_id = current_tenant())
    with check (tenant_id = current_tenant());
grant select on app_secrets to diary_worker;
grant select (tenant_id, name, master_id, set_at), insert, update, delete on app_secrets to diary_admin;

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
create policy speech_parts_api on speech_parts to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy speech_parts_worker on speech_parts to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
-- A deleted entry takes its parts along; the API never reads them.
grant select (tenant_id, user_id, entry_id), delete on speech_parts to diary_api;
grant select, insert, update, delete on speech_parts to diary_worker;

-- Of recordings that failed a week ago or longer. An entry whose job still waits keeps its parts.
create function sweep_speech_parts(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('speech_parts', $$
        created_at < statement_timestamp() - interval '7 days'
            and not exists (select from public.jobs j where j.tenant_id = r.tenant_id and j.user_id = r.user_id
                and j.subject = r.entry_id and j.state in ('ready', 'leased'))
    $$, most);

-- What an account used on a day.
create table usage_days (
    tenant_id uuid not null,
    user_id uuid not null,
    day date not null,
    audio_ms bigint not null default 0,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    cost bigint not null default 0,
    -- Calls of engines that answered.
    calls bigint not null default 0,
    constraint usage_days_pk primary key (tenant_id, user_id, day),
    constraint usage_days_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

-- For `admin_usage_by_user`.
create index usage_days_by_day on usage_days (tenant_id, day);

alter table usage_days enable row level security, force row level security;
create policy usage_days_owner on usage_days to diary_owner using (true) with check (true);
create policy usage_days_api on usage_days to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select on usage_days to diary_api;

-- After 13 months; sums of apps stay. App by app, as the index begins.
create function sweep_usage_days(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (delete from public.usage_days where ctid = any (array(select x.id from public.tenants t cross join lateral (
                select u.ctid as id from public.usage_days u where u.tenant_id = t.id
                    and u.day < ((statement_timestamp() at time zone 'UTC')::date - interval '13 months')::date
                order by u.day limit most for update skip locked) x
            limit most)) returning 1)
        select count(*) from gone
    $$;

-- What calls that are under way may use, so that calls at the same time do not pass a limit together. The row of a worker that ended
-- without a word counts until `expires_at`, which is later than the call's own time limit.
create table usage_reservations (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    audio_ms bigint not null,
    tokens bigint not null,
    cost bigint not null,
    expires_at timestamptz not null,
    constraint usage_reservations_pk primary key (tenant_id, user_id, id),
    constraint usage_reservations_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);

create index usage_reservations_by_app on usage_reservations (tenant_id, expires_at);

alter table usage_reservations enable row level security, force row level security;
create policy usage_reservations_owner on usage_reservations to diary_owner using (true) with check (true);

-- App by app, as the index begins.
create function sweep_usage_reservations(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with gone as (delete from public.usage_reservations where ctid = any (array(select x.id from public.tenants t cross join lateral (
                select v.ctid as id from public.usage_reservations v where v.tenant_id = t.id
                    and v.expires_at < statement_timestamp() - interval '1 day'
                order by v.expires_at limit most for update skip locked) x
            limit most)) returning 1)
        select count(*) from gone
    $$;

-- The sums of an app. They name no user and stay when an account is erased, so that they go on matching the bills of providers. Read and
-- written by functions alone.
create table usage_app_days (
    tenant_id uuid not null constraint usage_app_days_tenant_fk references tenants (id) on delete cascade,
    day date not null,
    audio_ms bigint not null default 0,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    cost bigint not null default 0,
    calls bigint not null default 0,
    constraint usage_app_days_pk primary key (tenant_id, day)
);

alter table usage_app_days enable row level security, force row level security;
create policy usage_app_days_owner on usage_app_days to diary_owner using (true) with check (true);

-- Before a call: may it use this much? Null limits do not hold. `refusal` is null when the call may begin and its reservation is stored;
-- `never` when it alone is more than a limit; `used` when the day's use leaves too little, `held` when calls under way may, and `again_at`
-- is when to ask again. The account's row of the day is locked first, then the app's.
create function reserve_usage(
    tenant uuid, member uuid, reservation uuid, moment timestamptz, ms bigint, token_count bigint, price bigint, seconds double precision,
    most_ms bigint, most_tokens bigint, most_cost bigint, most_app_cost bigint, out refusal text, out again_at timestamptz)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    today date := (moment at time zone 'UTC')::date;
    used public.usage_days;
    held record;
    app_used bigint := 0;
    app_held record;
begin
    if (tenant, member) is distinct from (public.current_tenant(), public.current_member()) then
        raise exception 'there is no such user' using errcode = 'DI404';
    end if;
    if ms > most_ms or token_count > most_tokens or price > 0 and (price > most_cost or price > most_app_cost) then
        refusal := 'never';
        return;
    end if;
    insert into public.usage_days (tenant_id, user_id, day) values (tenant, member, today) on conflict do nothing;
    select d.* into used from public.usage_days d where d.tenant_id = tenant and d.user_id = member and d.day = today for update;
    delete from public.usage_reservations r where r.tenant_id = tenant and r.user_id = member and r.expires_at <= moment;
    select coalesce(sum(r.audio_ms), 0) as ms, coalesce(sum(r.tokens), 0) as tokens, coalesce(sum(r.cost), 0) as cost,
            min(r.expires_at) as ends
        into held from public.usage_reservations r where r.tenant_id = tenant and r.user_id = member;
    if price > 0 and most_app_cost is not null then
        insert into public.usage_app_days (tenant_id, day) values (tenant, today) on conflict do nothing;
        select d.cost into app_used from public.usage_app_days d where d.tenant_id = tenant and d.day = today for update;
        select coalesce(sum(r.cost), 0) as cost, min(r.expires_at) as ends
            into app_held from public.usage_reservations r where r.tenant_id = tenant and r.expires_at > moment;
    end if;
    if ms > 0 and used.audio_ms + ms > most_ms
        or token_count > 0 and used.input_tokens + used.output_tokens + token_count > most_tokens
        or price > 0 and (used.cost + price > most_cost or app_used + price > most_app_cost)
    then
        refusal := 'used';
        again_at := (today + 1)::timestamp at time zone 'UTC';
        return;
    end if;
    if ms > 0 and used.audio_ms + held.ms + ms > most_ms
        or token_count > 0 and used.input_tokens + used.output_tokens + held.tokens + token_count > most_tokens
        or price > 0 and used.cost + held.cost + price > most_cost
    then
        refusal := 'held';
        again_at := held.ends;
        return;
    end if;
    if price > 0 and most_app_cost is not null then
        if app_used + app_held.cost + price > most_app_cost then
            refusal := 'held';
            again_at := app_held.ends;
            return;
        end if;
    end if;
    insert into public.usage_reservations (tenant_id, user_id, id, audio_ms, tokens, cost, expires_at)
        values (tenant, member, reservation, ms, token_count, price, moment + make_interval(secs => seconds));
end $$;

-- After a call: what it used, and its reservation ends. Locks as `reserve_usage` does.
create function settle_usage(
    tenant uuid, member uuid, reservation uuid, moment timestamptz, answered boolean, ms bigint, input_count bigint, output_count bigint,
    price bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    today date := (moment at time zone 'UTC')::date;
begin
    if (tenant, member) is distinct from (public.current_tenant(), public.current_member()) then
        raise exception 'there is no such user' using errcode = 'DI404';
    end if;
    if answered then
        insert into public.usage_days as d (tenant_id, user_id, day, audio_ms, input_tokens, output_tokens, cost, calls)
            values (tenant, member, today, ms, input_count, output_count, price, 1)
            on conflict on constraint usage_days_pk do update set audio_ms = d.audio_ms + excluded.audio_ms,
                input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
                cost = d.cost + excluded.cost, calls = d.calls + 1;
        insert into public.usage_app_days as d (tenant_id, day, audio_ms, input_tokens, output_tokens, cost, calls)
            values (tenant, today, ms, input_count, output_count, price, 1)
            on conflict on constraint usage_app_days_pk do update set audio_ms = d.audio_ms + excluded.audio_ms,
                input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
                cost = d.cost + excluded.cost, calls = d.calls + 1;
    end if;
    delete from public.usage_reservations r where r.tenant_id = tenant and r.user_id = member and r.id = reservation;
end $$;

grant execute on function reserve_usage, settle_usage, sweep_speech_parts, sweep_usage_days, sweep_usage_reservations to diary_worker;
