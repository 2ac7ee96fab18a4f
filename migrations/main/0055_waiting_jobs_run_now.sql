-- Jobs that wait for a later time can be let run now: what they wait for, such as an engine or a limit, has been mended by an operator.

-- Lets waiting jobs run now, with what their entries say of the next try. A page in the order of ids, one row for each job looked at; `again` is
-- false where a worker has taken it meanwhile, or its account is being erased. Tries stay as they are counted.
-- `stages`: the kinds that work on entries.
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
                    where e.tenant_id = waiting.tenant_id and e.user_id = waiting.user_id and e.id = waiting.subject and e.deleted_at is null
                        and e.stage_next_at is not null;
            end if;
            apps := apps || waiting.tenant_id;
        end if;
        return next;
    end loop;
    perform public.note_work_act(a.app, 'jobs_retried', null, operator) from (select distinct unnest(apps) as app) a;
end $$;

grant execute on function admin_hasten_jobs(uuid, text, uuid, uuid, int, text[], text) to diary_admin;
