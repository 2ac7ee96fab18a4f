-- Who owns what and who may do what, a line for each fact: owners, grants, row-level security, policies, rights of functions, the service's roles.
-- `diary migrate verify` compares the lines of a database with rights.txt of its folder, which `scripts/migrations` writes. By hand:
--     psql -At -f rights.sql diary | diff main/rights.txt -
-- Left out: what extensions brought, CONNECT (who may connect is for pg_hba.conf and the operator), and MAINTAIN, which Postgres 15 and 16 lack.
with relations as (
    select c.*, case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
), functions as (
    select p.*, p.oid::regprocedure::text as name
    from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
), roles as (
    select r.* from pg_roles r
    where r.rolname in ('diary_owner', 'diary_api', 'diary_auth', 'diary_worker', 'diary_admin', 'diary_backup')
), objects (name, owner, acl) as (
    select c.kind || ' ' || c.relname, c.relowner, coalesce(c.relacl, acldefault((case c.relkind when 'S' then 's' else 'r' end)::"char", c.relowner))
    from relations c
    union all
    select 'function ' || p.name, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner)) from functions p
    union all
    select 'schema ' || n.nspname, n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner)) from pg_namespace n where n.nspname = 'public'
    union all
    select 'database', d.datdba, coalesce(d.datacl, acldefault('d', d.datdba)) from pg_database d where d.datname = current_database()
), grants (name, acl) as (
    select name, acl from objects
    union all
    select 'column ' || c.relname || '.' || a.attname, a.attacl
    from relations c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null and not a.attisdropped
    union all
    select 'default for new ' || case d.defaclobjtype when 'r' then 'tables' when 'f' then 'functions' else d.defaclobjtype::text end, d.defaclacl
    from pg_default_acl d join roles r on r.oid = d.defaclrole and r.rolname = 'diary_owner'
), lines (line) as (
    select name || ': owner ' || pg_get_userbyid(owner) from objects
    union all
    select g.name || ': ' || case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee) end || ' '
        || string_agg(a.privilege_type || case when a.is_grantable then ' with grant option' else '' end, ', ' order by a.privilege_type)
    from grants g, aclexplode(g.acl) a
    where a.privilege_type <> 'MAINTAIN' and not (g.name = 'database' and a.privilege_type = 'CONNECT')
    group by g.name, a.grantee
    union all
    select 'table ' || c.relname || ': row security ' || case when c.relrowsecurity then 'on' else 'off' end
        || case when c.relforcerowsecurity then ', forced' else '' end
    from relations c where c.kind = 'table'
    union all
    select c.kind || ' ' || c.relname || ': ' || array_to_string(c.reloptions, ', ')
    from relations c where c.relkind in ('v', 'm') and c.reloptions is not null
    union all
    select 'policy ' || p.polname || ' on ' || c.relname || ': ' || case when p.polpermissive then '' else 'restrictive, ' end
        || case p.polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end || ' to '
        || (select string_agg(r.name, ', ' order by r.name collate "C")
            from (select case m.oid when 0 then 'PUBLIC' else pg_get_userbyid(m.oid)::text end as name from unnest(p.polroles) m (oid)) r)
        || coalesce(' using ' || pg_get_expr(p.polqual, p.polrelid), '') || coalesce(' with check ' || pg_get_expr(p.polwithcheck, p.polrelid), '')
    from pg_policy p join relations c on c.oid = p.polrelid
    union all
    select 'function ' || p.name || ': runs as its owner' from functions p where p.prosecdef
    union all
    select 'function ' || p.name || ': ' || s.setting from functions p, unnest(p.proconfig) s (setting)
    union all
    select 'role ' || r.rolname || ':' || case when r.rolcanlogin then ' login' else '' end || case when r.rolsuper then ' superuser' else '' end
        || case when r.rolcreatedb then ' createdb' else '' end || case when r.rolcreaterole then ' createrole' else '' end
        || case when r.rolreplication then ' replication' else '' end || case when r.rolbypassrls then ' bypassrls' else '' end
        || case when r.rolinherit then ' inherit' else '' end
    from roles r
    union all
    -- Other settings are the operator's.
    select 'role ' || r.rolname || ': ' || s.setting from roles r, unnest(r.rolconfig) s (setting)
    where s.setting ~ '^log_(error_verbosity|parameter_max_length|parameter_max_length_on_error|min_error_statement)='
    union all
    select 'role ' || r.rolname || ': member of ' || pg_get_userbyid(m.roleid) from roles r join pg_auth_members m on m.member = r.oid
)
select line from lines order by line collate "C"
