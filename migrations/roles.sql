-- Roles of the service (decision D3). Run once per cluster by a superuser; running it again changes nothing.
-- Passwords are the operator's: `alter role diary_api password '…'`. Nobody here but a superuser owns the cluster.
do $$
declare
    wanted text;
begin
    foreach wanted in array array['diary_owner', 'diary_api', 'diary_auth', 'diary_worker', 'diary_admin', 'diary_backup'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit nobypassrls', wanted);
        end if;
    end loop;
end $$;

-- Dumps read everything and change nothing.
alter role diary_backup bypassrls;

-- An error message must not print the values of the row it is about (mistake 23).
do $$
declare
    member text;
begin
    foreach member in array array['diary_owner', 'diary_api', 'diary_auth', 'diary_worker', 'diary_admin'] loop
        execute format('alter role %I set log_error_verbosity = terse', member);
        execute format('alter role %I set log_parameter_max_length = 0', member);
        execute format('alter role %I set log_parameter_max_length_on_error = 0', member);
        execute format('alter role %I set log_min_error_statement = panic', member);
    end loop;
end $$;
