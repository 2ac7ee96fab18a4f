-- Mails that wait to be sent, what mail providers report of addresses, and the words that an app has for its mails (decision 0049).

-- Mails that wait to be sent or were sent of late. Sealed: a code or an address never lies in a queue. Mails that tell an owner what was
-- done to the account are queued in the transaction that did it: there is no such act without its mail.
create table mails (
    tenant_id uuid not null,
    user_id uuid not null,
    id uuid not null,
    -- Listed by the program.
    kind text not null,
    -- What the mail says, sealed.
    payload bytea,
    key_id uuid not null,
    subject uuid,
    status text not null default 'waiting' constraint mails_status check (status in ('waiting', 'sent', 'failed')),
    created_at timestamptz not null default clock_timestamp(),
    sent_at timestamptz,
    -- The account's address as it was then, sealed as it is there: for a mail that says nothing but its kind.
    address_sealed bytea,
    -- The look-up hash of the address that the mail goes to, noted before it is handed over: a provider names the mail, not the account.
    address_hash bytea constraint mails_address_hash check (octet_length(address_hash) = 32),
    constraint mails_pk primary key (tenant_id, user_id, id),
    constraint mails_user_fk foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    constraint mails_kind check (kind ~ '^[a-z][a-z_]{2,40}$'),
    constraint mails_content check (num_nonnulls(payload, address_sealed) >= 1)
);

create index mails_by_age on mails (created_at);
-- A report names a mail by its id alone.
create index mails_by_id on mails (id);

alter table mails enable row level security, force row level security;
create policy mails_owner on mails to diary_owner using (true) with check (true);
create policy mails_auth on mails to diary_auth using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy mails_worker on mails to diary_worker using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
create policy mails_api on mails to diary_api using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant insert (tenant_id, user_id, id, kind, payload, key_id, subject) on mails to diary_api;
-- Sign-in counts what it sent, and reads no payload.
grant select (tenant_id, user_id, id, kind, created_at), insert on mails to diary_auth;
grant select, insert, update, delete on mails to diary_worker;

create function sweep_mails(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('mails', $$created_at < statement_timestamp() - interval '7 days'$$, most);

-- Queues a notice to the proved address; without one there is none. At most five of a kind in an hour. Only for the account that the
-- transaction was opened for.
create function queue_notice(tenant uuid, member uuid, notice text) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    mail uuid := gen_random_uuid();
begin
    if (tenant, member) is distinct from (public.current_tenant(), public.current_member()) then
        raise exception 'another account''s notice' using errcode = 'DI404';
    end if;
    insert into public.mails (tenant_id, user_id, id, kind, address_sealed, key_id)
        select tenant, member, mail, notice, u.email_sealed, s.key_id
        from public.users u join public.user_sync s on s.tenant_id = u.tenant_id and s.user_id = u.id
        where u.tenant_id = tenant and u.id = member and u.deleted_at is null and u.email_sealed is not null
            and public.address_is_proved(tenant, member)
            and (select count(*) from public.mails m where m.tenant_id = tenant and m.user_id = member and m.kind = notice
                and m.created_at > clock_timestamp() - interval '1 hour') < 5;
    if found then
        insert into public.jobs (id, tenant_id, user_id, kind, subject) values (mail, tenant, member, 'mail', mail);
    end if;
end $$;

-- What is known of an address, by its look-up hash; the address itself is not stored. Of an app, not of an account: a sign-up with the
-- address comes to the same row. Read and written by the functions below alone.
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

alter table mail_bounces enable row level security, force row level security;
create policy mail_bounces_owner on mail_bounces to diary_owner using (true) with check (true);

create function sweep_mail_bounces(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('mail_bounces', $$noted_at < statement_timestamp() - interval '400 days'$$, most);

-- Reports that were handled, for longer than a provider repeats them and than an old one is taken: the same one twice is one.
create table mail_events (
    tenant_id uuid not null constraint mail_events_tenant_fk references tenants (id) on delete cascade,
    event_hash bytea not null,
    expires_at timestamptz not null,
    constraint mail_events_pk primary key (tenant_id, event_hash)
);

create index mail_events_by_end on mail_events (expires_at);

alter table mail_events enable row level security, force row level security;
create policy mail_events_owner on mail_events to diary_owner using (true) with check (true);

create function sweep_mail_events(most int) returns bigint
    language sql security definer set search_path = pg_catalog, public, pg_temp
    return delete_old('mail_events', $$expires_at < statement_timestamp()$$, most);

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

alter table mail_templates enable row level security, force row level security;
create policy mail_templates_owner on mail_templates to diary_owner using (true) with check (true);

-- Before a mail is handed over: notes its address, and answers why none is sent there and what the app's own words are. The first of
-- `locales` that has words counts.
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
    update public.mails m set address_hash = hash where m.tenant_id = tenant and m.user_id = member and m.id = mail
        returning m.kind into of_kind;
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

-- Applies what a provider reports of mails; `app` null for the installation's provider, which may report of every app. Reports of mails
-- that are not known here, of another app, and those that were handled before change nothing. A complaint holds back no fewer mails than
-- the bounce that it replaces, and a report that comes late does not count against an address that has been proved since. Rows are locked
-- in the order of addresses: two requests do not wait for each other in a circle.
-- Returns how many changed something.
create function note_mail_events(
    app uuid, service text, hashes bytea[], about uuid[], reasons text[], times timestamptz[], remembered interval, request text)
    returns int
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    as $$
declare
    noted int := 0;
    hit record;
    was text;
    is_proved bool;
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
        select b.reason into was from public.mail_bounces b where b.tenant_id = hit.tenant_id and b.address_hash = hit.address_hash
            for update;
        -- A code that came by mail since has proved the address: the report is late. A provider's clock may be another one, in whole
        -- seconds.
        is_proved := exists (
            select from public.identities i
            where i.tenant_id = hit.tenant_id and i.issuer = 'email' and i.subject_hash = hit.address_hash
                and i.verified_at > hit.at + interval '1 minute');
        if not is_proved then
            -- What holds more mails back outweighs what holds back fewer: a bounce for good, a complaint, a soft bounce.
            insert into public.mail_bounces as b (tenant_id, address_hash, reason, provider, happened_at)
                values (hit.tenant_id, hit.address_hash, hit.reason, service, hit.at)
                on conflict on constraint mail_bounces_pk do update
                    set reason = excluded.reason, provider = excluded.provider, happened_at = excluded.happened_at,
                        noted_at = clock_timestamp()
                    where b.reason = 'soft_bounce' or (b.reason = 'complaint' and excluded.reason <> 'soft_bounce');
        end if;
        continue when hit.reason = 'soft_bounce';
        if hit.kind = 'export_ready' and hit.reason <> 'complaint' then
            update public.exports x set mail_status = 'failed', code = 'address_suppressed'
                where x.tenant_id = hit.tenant_id and x.user_id = hit.user_id and x.id = hit.subject and x.mail_status = 'sent';
        end if;
        if not is_proved and (was is null or was = 'soft_bounce' or (was = 'complaint') <> (hit.reason = 'complaint')) then
            perform public.record_event(
                hit.tenant_id, hit.user_id, case hit.reason when 'complaint' then 'mail_complained' else 'mail_bounced' end,
                'provider', null, request);
        end if;
    end loop;
    return noted;
end $$;

-- How mail reaches the account's address: `ok`, `bouncing` after soft bounces within a week, `complained`, `suppressed`; null without an
-- address. Only of the account that the transaction was opened for.
create function email_status(tenant uuid, member uuid) returns text
    language sql stable security definer set search_path = pg_catalog, public, pg_temp
    as $$
        select case
            when b.reason = 'complaint' then 'complained'
            when b.reason = 'soft_bounce' then
                case when b.noted_at > statement_timestamp() - interval '7 days' then 'bouncing' else 'ok' end
            when b.reason is not null then 'suppressed'
            else 'ok' end
        from public.users u left join public.mail_bounces b on b.tenant_id = u.tenant_id and b.address_hash = u.mailed_hash
        where u.tenant_id = tenant and u.id = member and u.email_sealed is not null
            and (tenant, member) = (public.current_tenant(), public.current_member())
    $$;

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

-- The same for a member who has entered a code that went to the account's own address. Only of the account that the transaction was opened
-- for.
create function lift_own_address(tenant uuid, member uuid) returns void
    language sql security definer set search_path = pg_catalog, public, pg_temp
    as $$
        delete from public.mail_bounces b using public.users u
        where u.tenant_id = tenant and u.id = member and b.tenant_id = u.tenant_id and b.address_hash = u.mailed_hash
            and (tenant, member) = (public.current_tenant(), public.current_member())
    $$;

grant execute on function queue_notice to diary_api, diary_auth;
grant execute on function prepare_mail, sweep_mails, sweep_mail_bounces, sweep_mail_events to diary_worker;
grant execute on function note_mail_events, lift_own_address to diary_auth;
grant execute on function email_status to diary_api, diary_worker;
