-- Rights of the roles before there is a table, and what every transaction begins with.
--
-- The roles belong to the cluster: migrations/roles.sql makes them.
--
-- diary_owner   owns everything and runs the migrations; functions with `security definer` run as it.
-- diary_api     is the API's, in a transaction of one account.
-- diary_auth    is sign-in's, which looks accounts up before it knows whose they are. No table with words of a diary is granted to it.
-- diary_worker  is the workers' and the sweeper's, in a transaction of the account whose job it is.
-- diary_admin   is that of `diary` commands of operators: ids, times and counts, by functions.
-- diary_backup  makes dumps: it reads everything and changes nothing.
--
-- Row-level security is on, and forced, for each table with rows of accounts, and these policies repeat: `…_owner` lets migrations and
-- definer functions pass, `…_api` and `…_worker` show the rows of the account whose transaction it is, `…_auth` and `…_admin` those of
-- the app. rights.txt lists every right of the finished schema, a line each.
--
-- Errors that functions raise have SQLSTATEs DI…, which the program maps to answers.

revoke all on schema public from public;
grant usage on schema public to diary_api, diary_auth, diary_worker, diary_admin, diary_backup;
alter default privileges in schema public grant select on tables to diary_backup;
-- A function may be called by its owner alone until it is granted. A per-schema default cannot take back the global one.
alter default privileges revoke execute on functions from public;

-- A function that runs as its owner must not find what its caller made: `search_path` of each ends with pg_temp, which is searched first
-- otherwise, and no role has a reason to make temporary tables.
do $$
begin
    execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Made by the migrator before the default privileges above. API and worker compare the applied migrations with those they were built with,
-- and refuse another schema.
grant select on schema_migrations to diary_api, diary_worker, diary_backup;

-- Row-level security compares with these two settings. A setting that was once set and then reset is '' rather than null, hence nullif
-- (PostgREST#1642); unset means no row, never an error.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function current_member() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user_id', true), '')::uuid;

-- Opens a transaction of an account, or of an app when `member` is null. Local settings end with the transaction (decision D6).
create function set_owner(tenant uuid, member uuid) returns void
    language plpgsql
    as $$
begin
    perform set_config('app.tenant_id', tenant::text, true), set_config('app.user_id', coalesce(member::text, ''), true);
end $$;

-- `at time zone` also takes POSIX rules, whose signs are turned round: '+02:00' would silently be two hours west. Names of zones only;
-- whether there is such a zone says `at time zone` itself, with the same SQLSTATE.
create function zone_name(given text) returns text
    language plpgsql immutable strict parallel safe
    as $$
begin
    if given !~ '^[A-Za-z_-]+(/[A-Za-z_-]+)*$'
        and given !~ '^(Etc/)?GMT[+-]?0$' and given !~ '^Etc/GMT([+-][1-9]|[+-]1[0-2]|-1[34])$'
        and given !~ '^(EST5EDT|CST6CDT|MST7MDT|PST8PDT)$'
    then
        raise exception 'not the name of a time zone' using errcode = '22023';
    end if;
    -- Without a slash "at time zone" also takes abbreviations (IST, BST): fixed offsets, and not everywhere the same.
    if given ~ '^[A-Za-z_-]+$' and lower(given) not in (
        'cet', 'cuba', 'eet', 'egypt', 'eire', 'est', 'gb', 'gb-eire', 'gmt', 'greenwich', 'hongkong', 'hst', 'iceland', 'iran', 'israel',
        'jamaica', 'japan', 'kwajalein', 'libya', 'met', 'mst', 'navajo', 'nz', 'nz-chat', 'poland', 'portugal', 'prc', 'roc', 'rok',
        'singapore', 'turkey', 'uct', 'universal', 'utc', 'w-su', 'wet', 'zulu')
        and given !~ '^GMT-0$'
    then
        raise exception 'an abbreviation, not the name of a time zone' using errcode = '22023';
    end if;
    return given;
end $$;

-- Deletes up to `most` of the rows `r` of a table that are old; locked ones are left for the next round. For `sweep_` functions, whose
-- conditions are constants.
create function delete_old(of_table regclass, old text, most int) returns bigint
    language plpgsql
    as $$
declare
    gone bigint;
begin
    execute format(
        'delete from %1$s where ctid = any (array(select r.ctid from %1$s r where %2$s limit $1 for update skip locked))', of_table, old)
        using most;
    get diagnostics gone = row_count;
    return gone;
end $$;

grant execute on function current_tenant, current_member, set_owner to diary_api, diary_auth, diary_worker, diary_admin;
grant execute on function zone_name to diary_api, diary_auth, diary_worker;
