-- What engines used, by account and day and by app and day; limits on it; what an account stores; and the consent to engines outside the machine
-- (decision 0040). Days are those of UTC. Costs are millionths of the operator's currency, audio is in milliseconds.

alter table users
    -- When the member consented to engines outside the machine; null: not, or no longer.
    add column hosted_processing_consent_at timestamptz;
grant update (hosted_processing_consent_at) on users to diary_api;

alter table user_sync
    -- The bytes of the account's recordings, from their announcement on (triggers below).
    add column stored_bytes bigint not null default 0;

alter table app_engines
    -- Of kind openai: the server is the operator's own, and no consent is asked for it.
    add column is_local boolean not null default false;
-- `GET /v1/config` tells which engines are hosted.
grant select (is_local) on app_engines to diary_api;

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

-- For `admin_usage`.
create index usage_days_by_day on usage_days (tenant_id, day);

-- What calls that are under way may use, so that calls at the same time do not pass a limit together. The row of a worker that ended without a word
-- counts until `expires_at`, which is later than the call's own time limit.
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

-- The sums of an app. They name no user and stay when an account is erased, so that they go on matching the bills of providers. Read and written by the
-- functions below alone.
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

alter table usage_days enable row level security, force row level security;
alter table usage_reservations enable row level security, force row level security;
alter table usage_app_days enable row level security, force row level security;

create policy usage_days_owner on usage_days to diary_owner using (true) with check (true);
create policy usage_reservations_owner on usage_reservations to diary_owner using (true) with check (true);
create policy usage_app_days_owner on usage_app_days to diary_owner using (true) with check (true);

create policy usage_days_api on usage_days to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant select on usage_days to diary_api;

-- Before a call: may it use this much? Null limits do not hold. `refusal` is null when the call may begin and its reservation is stored; `never` when
-- it alone is more than a limit; `used` when the day's use leaves too little, `held` when calls under way may, and `again_at` is when to ask again.
-- The account's row of the day is locked first, then the app's.
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
    select coalesce(sum(r.audio_ms), 0) as ms, coalesce(sum(r.tokens), 0) as tokens, coalesce(sum(r.cost), 0) as cost, min(r.expires_at) as ends
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

-- After a call: what it used, and its reservation ends. Locks as above.
create function settle_usage(
    tenant uuid, member uuid, reservation uuid, moment timestamptz, answered boolean, ms bigint, input_count bigint, output_count bigint, price bigint) returns void
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

grant execute on function reserve_usage(uuid, uuid, uuid, timestamptz, bigint, bigint, bigint, double precision, bigint, bigint, bigint, bigint),
    settle_usage(uuid, uuid, uuid, timestamptz, boolean, bigint, bigint, bigint, bigint) to diary_worker;

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

-- Deleted and expired recordings do not count.
create function counted_bytes(size bigint, deleted_at timestamptz, status text, stage_code text) returns bigint
    language sql immutable parallel safe
    return case when deleted_at is null and (status = 'failed' and stage_code = 'upload_expired') is not true then coalesce(size, 0) else 0 end;

-- Whichever statement makes, changes or deletes an entry, also of the version before. Each of them has locked the account's row already. Rows that are
-- removed were tombstones, or go with their account.
create function count_stored_bytes() returns trigger
    language plpgsql
    as $$
declare
    change bigint := public.counted_bytes(new.size_bytes, new.deleted_at, new.status, new.stage_code);
begin
    if tg_op = 'UPDATE' then
        change := change - public.counted_bytes(old.size_bytes, old.deleted_at, old.status, old.stage_code);
    end if;
    update public.user_sync s set stored_bytes = s.stored_bytes + change where s.tenant_id = new.tenant_id and s.user_id = new.user_id;
    return null;
end $$;

create trigger entries_stored after insert on entries for each row when (new.size_bytes is not null) execute function count_stored_bytes();
create trigger entries_stored_again after update of size_bytes, deleted_at, status, stage_code on entries
    for each row when (counted_bytes(new.size_bytes, new.deleted_at, new.status, new.stage_code)
        <> counted_bytes(old.size_bytes, old.deleted_at, old.status, old.stage_code))
    execute function count_stored_bytes();

-- After the triggers, whose locks keep entries from being written until this is committed.
update user_sync s set stored_bytes = c.bytes
from (
    select e.tenant_id, e.user_id, sum(counted_bytes(e.size_bytes, e.deleted_at, e.status, e.stage_code)) as bytes
    from entries e where e.size_bytes is not null and e.deleted_at is null group by e.tenant_id, e.user_id) c
where c.tenant_id = s.tenant_id and c.user_id = s.user_id and c.bytes > 0;

-- As `bump_change`, for a new recording: stops when it would not fit. The account's lock is held from here to the end, so of any number of creations at
-- once none passes the limit. An entry that is there already takes no more room: the caller's insert finds it.
create function bump_change_within(tenant uuid, member uuid, live_key uuid, entry uuid, size bigint, most bigint) returns bigint
    language plpgsql
    as $$
declare
    taken bigint;
    stored bigint;
begin
    update user_sync set change_number = change_number + 1
        where tenant_id = tenant and user_id = member and key_id = live_key and closed_at is null
        returning change_number, stored_bytes into taken, stored;
    if taken is null then
        raise exception 'the key is not live' using errcode = 'DI409';
    end if;
    if size > 0 and stored + size > most and not exists (select from entries e where e.tenant_id = tenant and e.user_id = member and e.id = entry) then
        raise exception 'the account stores as much as it may' using errcode = 'DI452';
    end if;
    return taken;
end $$;

grant execute on function counted_bytes(bigint, timestamptz, text, text) to diary_api, diary_worker;
grant execute on function bump_change_within(uuid, uuid, uuid, uuid, bigint, bigint) to diary_api;
grant execute on function admin_usage_by_day(uuid, date, date), admin_usage_by_user(uuid, date, date) to diary_admin;
