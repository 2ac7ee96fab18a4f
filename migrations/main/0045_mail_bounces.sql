-- What mail providers report: addresses that bounce or whose owners complained. And the words that an app has for its mails (decision 0055).

alter table mails
    -- The look-up hash of the address that the mail goes to, noted before it is handed over: a provider names the mail, not the account.
    add column address_hash bytea constraint mails_address_hash check (octet_length(address_hash) = 32);

-- A report names a mail by its id alone.
create index mails_by_id on mails (id);

alter table users
    -- The look-up hash of the account's address, as of the last mail to it. An account without mail has none, and no report either.
    add column mailed_hash bytea constraint users_mailed_hash check (octet_length(mailed_hash) = 32);

-- What is known of an address, by its look-up hash; the address itself is nowhere. Of an app, not of an account: a sign-up with the address comes to the
-- same row. Read and written by the functions below alone.
create table mail_bounces (
    tenant_id uuid not null constraint mail_bounces_tenant_fk references tenants (id) on delete cascade,
    address_hash bytea not null constraint mail_bounces_address_hash check (octet_length(address_hash) = 32),
    -- `soft_bounce` is noted alone; with every other reason mails are held back. Listed in the service's code.
    reason text not null constraint mail_bounces_reason check (reason ~ '^[a-z][a-z_]{2,40}$'),
    provider text not null constraint mail_bounces_provider check (provider ~ '^[a-z][a-z0-9_]{1,40}$'),
    -- As the provider says.
    happened_at timestamptz not null,
    noted_at timestamptz not null default clock_timestamp(),
    constraint mail_bounces_pk primary key (tenant_id, address_hash)
);

create index mail_bounces_by_age on mail_bounces (noted_at);

-- Reports that were handled, for longer than a provider repeats them and than an old one is taken: the same one twice is one.
create table mail_events (
    tenant_id uuid not null constraint mail_events_tenant_fk references tenants (id) on delete cascade,
    event_hash bytea not null,
    expires_at timestamptz not null,
    constraint mail_events_pk primary key (tenant_id, event_hash)
);

create index mail_events_by_end on mail_events (expires_at);

-- Words of an app for one kind of mail in one language, checked when they are set.
create table mail_templates (
    tenant_id uuid not null constraint mail_templates_tenant_fk references tenants (id) on delete cascade,
    kind text not null constraint mail_templates_kind check (kind ~ '^[a-z][a-z_]{2,40}$'),
    locale text not null constraint mail_templates_locale check (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$'),
    -- Subject and paragraphs.
    words text constraint mail_templates_words check (octet_length(words) <= 20000),
    -- In place of the HTML that is made of the paragraphs.
    html text constraint mail_templates_html check (octet_length(html) <= 100000),
    set_at timestamptz not null default clock_timestamp(),
    constraint mail_templates_pk primary key (tenant_id, kind, locale),
    constraint mail_templates_content check (num_nonnulls(words, html) >= 1)
);

alter table mail_bounces enable row level security, force row level security;
alter table mail_events enable row level security, force row level security;
alter table mail_templates enable row level security, force row level security;

create policy mail_bounces_owner on mail_bounces to diary_owner using (true) with check (true);
create policy mail_events_owner on mail_events to diary_owner using (true) with check (true);
create policy mail_templates_owner on mail_templates to diary_owner using (true) with check (true);

-- The address is another one: what was known of the old one says nothing of it.
create function forget_mailed_address() returns trigger
    language plpgsql
    as $$
begin
    new.mailed_hash := null;
    return new;
end $$;

create trigger users_mailed_address before update of email_sealed on users
    for each row when (old.email_sealed is distinct from new.email_sealed) execute function forget_mailed_address();

-- A code that came by mail proved the address: it takes mail, and its owner wants it.
create function lift_proved_address() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.mail_bounces b where b.tenant_id = new.tenant_id and b.address_hash = new.subject_hash;
    return null;
end $$;

create trigger identities_address_proved after insert or update of subject_hash, verified_at on identities
    for each row when (new.issuer = 'email' and new.verified_at is not null) execute function lift_proved_address();

-- The same for a member who has entered a code that went to the account's own address. Only of the account that the transaction was opened for.
create function lift_own_address(tenant uuid, member uuid) returns void
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        delete from public.mail_bounces b using public.users u
        where u.tenant_id = tenant and u.id = member and b.tenant_id = u.tenant_id and b.address_hash = u.mailed_hash
            and (tenant, member) = (public.current_tenant(), public.current_member())
    $$;

-- How mail reaches the account's address: `ok`, `bouncing` after soft bounces within a week, `complained`, `suppressed`; null without an address.
-- Only of the account that the transaction was opened for.
create function email_status(tenant uuid, member uuid) returns text
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select case
            when b.reason = 'complaint' then 'complained'
            when b.reason = 'soft_bounce' then case when b.noted_at > statement_timestamp() - interval '7 days' then 'bouncing' else 'ok' end
            when b.reason is not null then 'suppressed'
            else 'ok' end
        from public.users u left join public.mail_bounces b on b.tenant_id = u.tenant_id and b.address_hash = u.mailed_hash
        where u.tenant_id = tenant and u.id = member and u.email_sealed is not null
            and (tenant, member) = (public.current_tenant(), public.current_member())
    $$;

-- Before a mail is handed over: notes its address, and answers why none is sent there and what the app's own words are. The first of `locales` that has
-- words counts.
create function prepare_mail(tenant uuid, member uuid, mail uuid, hash bytea, is_account boolean, locales text[])
    returns table (reason text, locale text, words text, html text)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    of_kind text;
begin
    if (tenant, member) is distinct from (public.current_tenant(), public.current_member()) then
        raise exception 'another account''s mail' using errcode = 'DI404';
    end if;
    update public.mails m set address_hash = hash where m.tenant_id = tenant and m.user_id = member and m.id = mail returning m.kind into of_kind;
    if is_account then
        update public.users u set mailed_hash = hash
            where u.tenant_id = tenant and u.id = member and u.mailed_hash is distinct from hash and u.email_sealed is not null;
    end if;
    return query
        select (select b.reason from public.mail_bounces b where b.tenant_id = tenant and b.address_hash = hash), t.locale, t.words, t.html
        from (select) as one left join lateral (
            select w.locale, w.words, w.html from public.mail_templates w
            where w.tenant_id = tenant and w.kind = of_kind and w.locale = any (locales)
            order by array_position(locales, w.locale) limit 1) t on true;
end $$;

-- Applies what a provider reports of mails; `app` null for the installation's provider, which may report of every app. Reports of mails that are not
-- known here, of another app, and those that were handled before change nothing. Rows are locked in the order of addresses: two requests do
-- not wait for each other in a circle.
-- Returns how many changed something.
create function note_mail_events(
    app uuid, service text, hashes bytea[], about uuid[], reasons text[], times timestamptz[], remembered interval, request text) returns int
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    noted int := 0;
    hit record;
    was text;
begin
    for hit in
        select e.hash, e.reason, least(e.at, clock_timestamp()) as at, m.tenant_id, m.user_id, m.kind, m.subject, m.address_hash
        from unnest(hashes, about, reasons, times) as e (hash, mail, reason, at)
            join public.mails m on m.id = e.mail and (app is null or m.tenant_id = app) and m.address_hash is not null
        order by m.tenant_id, m.address_hash, e.at
    loop
        insert into public.mail_events (tenant_id, event_hash, expires_at) values (hit.tenant_id, hit.hash, clock_timestamp() + remembered)
            on conflict on constraint mail_events_pk do nothing;
        continue when not found;
        noted := noted + 1;
        select b.reason into was from public.mail_bounces b where b.tenant_id = hit.tenant_id and b.address_hash = hit.address_hash for update;
        -- A complaint outweighs a bounce, and that a soft one: what weighs less changes nothing.
        insert into public.mail_bounces as b (tenant_id, address_hash, reason, provider, happened_at)
            values (hit.tenant_id, hit.address_hash, hit.reason, service, hit.at)
            on conflict on constraint mail_bounces_pk do update
                set reason = excluded.reason, provider = excluded.provider, happened_at = excluded.happened_at, noted_at = clock_timestamp()
                where b.reason = 'soft_bounce' or excluded.reason = 'complaint';
        continue when hit.reason = 'soft_bounce';
        if hit.kind = 'export_ready' and hit.reason <> 'complaint' then
            update public.exports x set mail_status = 'failed', code = 'address_suppressed'
                where x.tenant_id = hit.tenant_id and x.user_id = hit.user_id and x.id = hit.subject and x.mail_status = 'sent';
        end if;
        if was is null or was = 'soft_bounce' or (hit.reason = 'complaint' and was <> 'complaint') then
            perform public.record_event(
                hit.tenant_id, hit.user_id, case hit.reason when 'complaint' then 'mail_complained' else 'mail_bounced' end, 'provider', null, request);
        end if;
    end loop;
    return noted;
end $$;

-- For operators: what is known of an app's addresses, the latest first. No address, and of the hash only its first bytes, to tell rows apart.
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
create function admin_set_mail_template(tenant uuid, of_kind text, of_locale text, new_words text, new_html text, operator text) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    insert into public.mail_templates as m (tenant_id, kind, locale, words, html) values (tenant, of_kind, of_locale, new_words, new_html)
        on conflict on constraint mail_templates_pk do update
            set words = coalesce(excluded.words, m.words), html = coalesce(excluded.html, m.html), set_at = clock_timestamp();
    insert into public.tenant_acts (slug, act, settings, operator)
        select t.slug, 'changed', array['mail_templates.' || of_kind || '.' || of_locale], operator from public.tenants t where t.id = tenant;
end $$;

create function admin_unset_mail_template(tenant uuid, of_kind text, of_locale text, operator text) returns boolean
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
begin
    delete from public.mail_templates m where m.tenant_id = tenant and m.kind = of_kind and m.locale = of_locale;
    if not found then return false; end if;
    insert into public.tenant_acts (slug, act, settings, operator)
        select t.slug, 'changed', array['mail_templates.' || of_kind || '.' || of_locale], operator from public.tenants t where t.id = tenant;
    return true;
end $$;

-- Reports past their time, and what is known of addresses after 400 days, as events of accounts. Up to `most` rows of each.
create function sweep_mail_reports(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        with events as (
            delete from public.mail_events where ctid = any (array(select e.ctid from public.mail_events e
                where e.expires_at < statement_timestamp() limit most for update skip locked)) returning 1),
        bounces as (
            delete from public.mail_bounces where ctid = any (array(select b.ctid from public.mail_bounces b
                where b.noted_at < statement_timestamp() - interval '400 days' limit most for update skip locked)) returning 1)
        select greatest((select count(*) from events), (select count(*) from bounces))
    $$;

grant execute on function email_status(uuid, uuid) to diary_api, diary_worker;
grant execute on function prepare_mail(uuid, uuid, uuid, bytea, boolean, text[]), sweep_mail_reports(int) to diary_worker;
grant execute on function lift_own_address(uuid, uuid) to diary_auth;
grant execute on function note_mail_events(uuid, text, bytea[], uuid[], text[], timestamptz[], interval, text) to diary_auth;
grant execute on function admin_mail_bounces(text, int), admin_lift_mail_bounce(uuid, bytea, text), admin_mail_templates(text),
    admin_set_mail_template(uuid, text, text, text, text, text), admin_unset_mail_template(uuid, text, text, text) to diary_admin;
