-- A complaint held back fewer mails than the bounce that it replaced, so codes went on to an address that takes none; and a report that came late
-- counted against an address that had been proved since.

-- Applies what a provider reports of mails; `app` null for the installation's provider, which may report of every app. Reports of mails that are not
-- known here, of another app, and those that were handled before change nothing. Rows are locked in the order of addresses: two requests do
-- not wait for each other in a circle.
-- Returns how many changed something.
create or replace function note_mail_events(
    app uuid, service text, hashes bytea[], about uuid[], reasons text[], times timestamptz[], remembered interval, request text) returns int
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
        select b.reason into was from public.mail_bounces b where b.tenant_id = hit.tenant_id and b.address_hash = hit.address_hash for update;
        -- A code that came by mail since has proved the address: the report is late. A provider's clock may be another one, in whole seconds.
        is_proved := exists (
            select from public.identities i
            where i.tenant_id = hit.tenant_id and i.issuer = 'email' and i.subject_hash = hit.address_hash
                and i.verified_at > hit.at + interval '1 minute');
        if not is_proved then
            -- What holds more mails back outweighs what holds back fewer: a bounce for good, a complaint, a soft bounce.
            insert into public.mail_bounces as b (tenant_id, address_hash, reason, provider, happened_at)
                values (hit.tenant_id, hit.address_hash, hit.reason, service, hit.at)
                on conflict on constraint mail_bounces_pk do update
                    set reason = excluded.reason, provider = excluded.provider, happened_at = excluded.happened_at, noted_at = clock_timestamp()
                    where b.reason = 'soft_bounce' or (b.reason = 'complaint' and excluded.reason <> 'soft_bounce');
        end if;
        continue when hit.reason = 'soft_bounce';
        if hit.kind = 'export_ready' and hit.reason <> 'complaint' then
            update public.exports x set mail_status = 'failed', code = 'address_suppressed'
                where x.tenant_id = hit.tenant_id and x.user_id = hit.user_id and x.id = hit.subject and x.mail_status = 'sent';
        end if;
        if not is_proved and (was is null or was = 'soft_bounce' or (was = 'complaint') <> (hit.reason = 'complaint')) then
            perform public.record_event(
                hit.tenant_id, hit.user_id, case hit.reason when 'complaint' then 'mail_complained' else 'mail_bounced' end, 'provider', null, request);
        end if;
    end loop;
    return noted;
end $$;
