-- A function that runs as its owner looks at nothing that its caller made: without this, temporary tables come before all others.
do $$
declare
    definer regprocedure;
begin
    for definer in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef loop
        execute format('alter function %s set search_path = pg_catalog, public, pg_temp', definer);
    end loop;
    -- Nor is there a reason for anybody to make any.
    execute format('revoke temporary on database %I from public', current_database());
end $$;
