-- As before (0042), but recordings that were removed are in no export and cost it nothing.
create or replace function admin_create_export(
    tenant uuid, member uuid, export uuid, first date, last date, with_audio boolean, files text[], of_layer text, of_kind text, most_downloads int,
    job uuid, job_kind text, operator text) returns text
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
