-- Who may do what is decided here, before there is a table.
-- The roles themselves belong to the cluster: migrations/roles.sql makes them.

revoke all on schema public from public;
grant usage on schema public to diary_api, diary_auth, diary_worker, diary_admin, diary_backup;

-- Tables made later by the owner: the backup role reads them all.
alter default privileges in schema public grant select on tables to diary_backup;
-- A function is nobody's until it is granted (a per-schema default cannot take back the global one).
alter default privileges revoke execute on functions from public;

-- Row-level security compares with these two settings. A setting that was once set and then reset is '' rather than null,
-- hence nullif (PostgREST#1642); unset means no row, never an error.
create function current_tenant() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.tenant_id', true), '')::uuid;

create function current_member() returns uuid
    language sql stable parallel safe
    return nullif(current_setting('app.user_id', true), '')::uuid;

grant execute on function current_tenant(), current_member() to diary_owner, diary_api, diary_auth, diary_worker, diary_admin;

-- Opens a transaction of somebody's: local settings end with it and leak to nobody (decision D6).
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

grant execute on function zone_name(text) to diary_api, diary_auth;

grant execute on function set_owner(uuid, uuid) to diary_owner, diary_api, diary_auth, diary_worker, diary_admin;
