-- A playback link ends with all sessions. An export is there for its signed-in owner: downloaded without the mailed link, mailed again, or made without
-- a mail, also where no address is proved.

alter table users
    -- Part of what signs a playback link: links of a lower one are refused.
    add column link_generation bigint not null default 0;

alter table exports
    -- False: no mail was asked for, and `mail_status` says nothing.
    add column mail_asked boolean not null default true;

-- As before (0022); playback links end too, by the account's row, which was locked first before.
create or replace function end_links_and_codes(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    update public.users u set link_generation = u.link_generation + 1 where u.tenant_id = tenant and u.id = member;
    -- A sign-up's codes are no part of the account yet.
    update public.email_codes c set used_at = clock_timestamp()
        where c.tenant_id = tenant and c.user_id = member and c.used_at is null and c.purpose <> 'verify';
    -- The job finds its mail not waiting and ends. Notices to the old address are still sent.
    update public.mails m set status = 'failed', payload = '', address_sealed = null
        where m.tenant_id = tenant and m.user_id = member and m.status = 'waiting'
            and m.kind in ('export_ready', 'sign_in_code', 'reset_code', 'address_code', 'reauthentication_code');
    -- Those that are being built are locked too: one that became ready before this commit would be mailed to the old address.
    perform from public.exports x
        where x.tenant_id = tenant and x.user_id = member and x.revoked_at is null and x.status <> 'failed' order by x.id for update;
    update public.exports x set revoked_at = clock_timestamp(), mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
        where x.tenant_id = tenant and x.user_id = member and x.revoked_at is null and x.status = 'ready' and x.expires_at > clock_timestamp();
end $$;

-- The owner has an export mailed again: its mail and job in one statement. The API writes mails and reads none.
create policy mails_api on mails to diary_api
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());
grant insert (tenant_id, user_id, id, kind, payload, key_id, subject) on mails to diary_api;
