import DiaryCore
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

/// Row C3: rules that the system catalogue must meet, so that a table, function or view added later cannot break them.
@Suite("Catalogue", .timeLimit(.minutes(1)))
struct CatalogueTests {
    /// Keys that cannot name a user, and why.
    private static let exceptions: Set<String> = [
        // A job is claimed before its owner is known; the server makes its id.
        "jobs.jobs_pk",
        // An address is unique in its tenant, across users.
        "identities.identities_pk",
        // Belongs to an app, not to a user: the hash of a nonce or of a notice. The use of a queue names neither.
        "queue_use.queue_use_pk", "sign_in_challenges.sign_in_challenges_pk", "sign_in_challenges.sign_in_challenges_tenant_fk",
        "provider_notices.provider_notices_pk", "provider_notices.provider_notices_tenant_fk",
        // An address of an app, by its hash; a report of a provider; the words of an app's mails.
        "mail_bounces.mail_bounces_pk", "mail_bounces.mail_bounces_tenant_fk", "mail_events.mail_events_pk",
        "mail_events.mail_events_tenant_fk", "mail_templates.mail_templates_pk", "mail_templates.mail_templates_tenant_fk",
        // The sums of an app.
        "usage_app_days.usage_app_days_pk", "usage_app_days.usage_app_days_tenant_fk",
        // Engines and secrets are an app's, set by its operator.
        "app_engines.app_engines_pk", "app_engines.app_engines_tenant_fk", "app_secrets.app_secrets_pk",
        "app_secrets.app_secrets_tenant_fk",
        // Tenants hold no personal rows.
        "tenants.tenants_pk", "tenants.tenants_slug_key", "tenants.tenants_one_default", "tenant_acts.tenant_acts_pk",
        "schema_migrations.schema_migrations_pkey",
        "workers.workers_pk",
        // Queues that an operator holds, of an app or of all.
        "paused_work.paused_work_pk", "paused_work.paused_work_app_fk", "paused_work.paused_work_of_all", "paused_work.paused_work_of_app",
        // A deletion names no user; its requester has only the receipt. A token key has no owner.
        "deletions.deletions_pk", "deletions.deletions_receipt_key", "signing_keys.signing_keys_pk",
        // Of the database itself and of the service's keys: no person's.
        "sync_epoch.sync_epoch_pk", "sweep_mark.sweep_mark_pk", "retired_token_keys.retired_token_keys_pk", "key_checks.key_checks_pk",
        // A user owns its own row: the id is the user.
        "users.users_pk", "users.users_tenant_fk",
    ]

    private func lines(_ pool: ConnectionPool, _ sql: String) async throws -> [String] {
        try await pool.run([Statement(sql)])[0].map { try $0.text(0) }
    }

    /// Both databases, with the tables that hold personal rows.
    private func databases() async throws -> [(pool: ConnectionPool, personal: [String])] {
        let database = try await MigratedDatabase.shared()
        return [(database.superuser, try await Dump.members(in: database) + Dump.apps), (database.keySuperuser, Dump.keys)]
    }

    private static let tables = "pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')"
    private static let personal = """
        (exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('tenant_id', 'user_id') and not a.attisdropped))
        """

    @Test("every table with a tenant or a user has row-level security, forced, and every other table is listed here (C3)")
    func forced() async throws {
        for (pool, personal) in try await databases() {
            let found = try await lines(pool, "select c.relname::text from \(Self.tables) and \(Self.personal) order by 1")
            let open = try await lines(
                pool, "select c.relname::text from \(Self.tables) and \(Self.personal) and not (c.relrowsecurity and c.relforcerowsecurity)"
            )
            let others = try await lines(pool, "select c.relname::text from \(Self.tables) and not \(Self.personal)")

            #expect(found == personal.sorted())
            #expect(open.isEmpty)
            let impersonal: Set = [
                "tenants", "tenant_acts", "schema_migrations", "deletions", "signing_keys", "queue_use", "workers", "paused_work",
                "sync_epoch",
                "sweep_mark", "retired_token_keys", "key_checks",
            ]
            #expect(Set(others).subtracting(impersonal).isEmpty)
        }
    }

    @Test("each role that was granted a personal table has one policy there, permissive, for all commands, with USING and WITH CHECK (C3)")
    func policies() async throws {
        for (pool, _) in try await databases() {
            let missing = try await lines(
                pool,
                """
                select c.relname || ' ' || r.rolname from pg_roles r, \(Self.tables) and \(Self.personal) and r.rolname like 'diary\\_%' and not r.rolbypassrls
                    and (has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate, references, trigger')
                        or has_any_column_privilege(r.oid, c.oid, 'select, insert, update, references'))
                    and 1 <> (select count(*) from pg_policy p where p.polrelid = c.oid and p.polroles = array[r.oid])
                """)
            let weak = try await lines(
                pool,
                """
                select c.relname || ' ' || p.polname from pg_policy p join pg_class c on c.oid = p.polrelid
                where p.polqual is null or p.polwithcheck is null or p.polcmd <> '*' or not p.polpermissive or cardinality(p.polroles) <> 1
                    or p.polroles = array[0::oid] or pg_get_expr(p.polqual, p.polrelid) <> pg_get_expr(p.polwithcheck, p.polrelid)
                """)

            #expect(missing.isEmpty)
            #expect(weak.isEmpty)
        }
    }

    @Test(
        "a policy that lets everything pass belongs to the owner, or to the worker on jobs; every other one compares tenant and user, sign-in's the tenant (C3)"
    )
    func expressions() async throws {
        let strange = """
            select c.relname || ' ' || p.polname || ' ' || pg_get_expr(p.polqual, p.polrelid)
            from pg_policy p join pg_class c on c.oid = p.polrelid join pg_roles r on p.polroles = array[r.oid]
            where pg_get_expr(p.polqual, p.polrelid) <> case
                when r.rolname = 'diary_owner' or (r.rolname, c.relname) = ('diary_worker', 'jobs') then 'true'
                when r.rolname = 'diary_auth' and c.relname not in ('user_keys', 'idempotency_keys') then '(tenant_id = current_tenant())'
                when c.relname in ('app_engines', 'app_secrets') then '(tenant_id = current_tenant())'
                when c.relname = 'users' then '((tenant_id = current_tenant()) AND (id = current_member()))'
                else '((tenant_id = current_tenant()) AND (user_id = current_member()))' end
            """
        for (pool, _) in try await databases() { #expect(try await lines(pool, strange).isEmpty) }
    }

    @Test("foreign keys, unique keys and unique indexes of personal tables begin with tenant and user (C3)")
    func keys() async throws {
        for (pool, _) in try await databases() {
            let constraints = try await lines(
                pool,
                """
                select c.relname || '.' || k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
                where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f')
                    and (select string_agg(a.attname, ',' order by n.ordinality) from unnest(k.conkey) with ordinality n (column_number, ordinality)
                        join pg_attribute a on a.attrelid = c.oid and a.attnum = n.column_number) not like 'tenant_id,user_id%'
                """)
            let indexes = try await lines(
                pool,
                """
                select c.relname || '.' || i.relname from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
                where c.relnamespace = 'public'::regnamespace and x.indisunique
                    and pg_get_indexdef(x.indexrelid) not like '%(tenant_id, user_id%'
                """)

            #expect(Set(constraints).subtracting(Self.exceptions).isEmpty)
            #expect(Set(indexes).subtracting(Self.exceptions).isEmpty)
        }
    }

    /// Erasure deletes the row of `users` and relies on the keys for the rest.
    @Test("every foreign key to users cascades, and every table of members' rows but one is reached by such keys (C3)")
    func cascades() async throws {
        let database = try await MigratedDatabase.shared()

        let others = try await lines(
            database.superuser,
            """
            select conrelid::regclass || '.' || conname from pg_constraint
            where contype = 'f' and confrelid = 'users'::regclass and confdeltype <> 'c'
            """)
        let reached = try await lines(
            database.superuser,
            """
            with recursive reached as (
                select 'users'::regclass::oid as id
                union select k.conrelid from pg_constraint k join reached on k.confrelid = reached.id
                where k.contype = 'f' and k.confdeltype = 'c')
            select c.relname::text from reached join pg_class c on c.oid = reached.id
            """)

        #expect(others.isEmpty)
        // It outlives the account until Apple has been told.
        #expect(Set(try await Dump.members(in: database)).subtracting(reached) == ["apple_grants"])
    }

    @Test("the service's roles own nothing but the owner, cannot act as another, bypass no row-level security, and create nothing (C3)")
    func roles() async throws {
        for (pool, _) in try await databases() {
            let strong = try await lines(
                pool,
                """
                select rolname::text from pg_roles where rolname like 'diary\\_%'
                    and (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls <> (rolname = 'diary_backup'))
                """)
            let members = try await lines(
                pool,
                """
                select r.rolname || ' in ' || g.rolname from pg_auth_members m join pg_roles r on r.oid = m.member join pg_roles g on g.oid = m.roleid
                where r.rolname like 'diary\\_%' or g.rolname like 'diary\\_%'
                """)
            let owners = try await lines(
                pool,
                """
                select distinct pg_get_userbyid(owner)::text from (
                    select relowner as owner from pg_class where relnamespace = 'public'::regnamespace
                    union select proowner from pg_proc where pronamespace = 'public'::regnamespace
                    union select nspowner from pg_namespace where nspname = 'public'
                    union select datdba from pg_database where datname = current_database()) o
                """)
            let makers = try await lines(
                pool,
                """
                select r.rolname || ' ' || n.nspname from pg_roles r, pg_namespace n where r.rolname like 'diary\\_%' and r.rolname <> 'diary_owner'
                    and n.nspname not like 'pg\\_toast%' and has_schema_privilege(r.oid, n.oid, 'create')
                """)
            let wide = try await lines(
                pool,
                """
                select r.rolname || ' ' || c.relname from pg_roles r, pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                    and r.rolname in ('diary_api', 'diary_auth', 'diary_worker', 'diary_admin', 'diary_backup')
                    and has_table_privilege(r.oid, c.oid, 'truncate, references, trigger')
                """)
            let readers = try await lines(
                pool,
                """
                select c.relname::text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                    and has_table_privilege('diary_backup', c.oid, 'insert, update, delete')
                """)

            #expect(strong.isEmpty)
            #expect(members.isEmpty)
            #expect(owners == ["diary_owner"])
            #expect(makers.isEmpty)
            #expect(wide.isEmpty)
            #expect(readers.isEmpty)
        }
    }

    @Test("a table is granted only to the roles that need it: sign-in sees no diary text, the administrator no personal data (C3)")
    func grants() async throws {
        let database = try await MigratedDatabase.shared()
        func granted(_ role: MigratedDatabase.Role) async throws -> [String] {
            try await lines(
                database.superuser,
                """
                select c.relname::text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
                    and (has_table_privilege('\(role.rawValue)', c.oid, 'select') or has_any_column_privilege('\(role.rawValue)', c.oid, 'select'))
                    order by 1
                """)
        }

        #expect(try await granted(.api) == OpenedStores.apiTables)
        #expect(try await granted(.auth) == OpenedStores.authTables)
        #expect(try await granted(.worker) == OpenedStores.workerTables)
        #expect(try await granted(.admin) == ["app_engines", "app_secrets", "retired_token_keys", "tenant_acts", "tenants", "workers"])
        #expect(try await database.text("select has_column_privilege('diary_auth', 'mails', 'payload', 'select')::text") == "false")
        #expect(
            try await database.text("select has_column_privilege('diary_api', 'deletions', 'subject_sealed', 'select')::text") == "false")
        let members = try await Dump.members(in: database)
        #expect(Set(try await granted(.backup)).isSuperset(of: members + ["tenants"]))
    }

    @Test("a function that runs as its owner has a fixed search_path; none is granted to public; views run with the caller's rights (C3)")
    func functions() async throws {
        // The administrator acts on accounts only through these: ids, times and counts.
        let administrators = [
            "admin_api_tokens", "admin_count_secrets", "admin_create_export", "admin_create_user", "admin_entry", "admin_erase_tenant",
            "admin_exports", "admin_find_user",
            "admin_hasten_jobs",
            "admin_job_counts", "admin_jobs",
            "admin_new_epoch", "admin_pause_work", "admin_paused_work", "admin_release_kept", "admin_request_erasure",
            "admin_resume_work", "admin_retry_jobs", "admin_revoke_api_tokens", "admin_revoke_sessions", "admin_rewrap_secret",
            "admin_secrets_to_rewrap",
            "admin_set_disabled", "admin_stranded", "admin_usage_by_day", "admin_usage_by_user", "admin_user", "admin_users",
            "kept_times",
            "admin_lift_mail_bounce", "admin_mail_bounces", "admin_mail_templates",
            "admin_set_mail_template",
            "admin_unset_mail_template",
        ].map { "\($0) diary_admin" }
        // Mail to the account of the transaction.
        let notices = ["queue_notice diary_api", "queue_notice diary_auth"]
        // The links and codes of the account of the transaction.
        let links = ["end_own_links_and_codes diary_api", "end_own_links_and_codes diary_auth"]
        // Numbers about one entry of the account of the transaction.
        let places = ["queue_place diary_api"]
        // What became of mails to the address of the account of the transaction; reports of providers, by the ids of mails.
        let bounces = ["email_status diary_api", "lift_own_address diary_auth", "note_mail_events diary_auth"]
        // Which of the given objects no row names.
        let orphans = ["sweep_orphans diary_admin", "sweep_orphans diary_backup"]
        for (pool, personal) in try await databases() {
            let loose = try await lines(
                pool,
                """
                select proname::text from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
                    and not coalesce(proconfig, '{}') @> array['search_path=pg_catalog, public, pg_temp']
                """)
            let everybodys = try await lines(
                pool,
                """
                select p.proname::text from pg_proc p where p.pronamespace = 'public'::regnamespace and exists (
                    select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0 and a.privilege_type = 'EXECUTE')
                """)
            let callers = try await lines(
                pool,
                """
                select p.proname || ' ' || r.rolname from pg_proc p, pg_roles r where p.pronamespace = 'public'::regnamespace and p.prosecdef
                    and r.rolname like 'diary\\_%' and r.rolname not in ('diary_owner', 'diary_worker') and has_function_privilege(r.oid, p.oid, 'execute')
                    -- Rotating the master key: counts, and wrapped bytes for wrapped bytes.
                    and (r.rolname, p.proname) not in (('diary_admin', 'count_keys'), ('diary_admin', 'keys_to_rewrap'), ('diary_admin', 'rewrap_key'),
                        -- A master key must open one before its check value is recorded; a key of an erased account is destroyed again.
                        ('diary_admin', 'wrapped_key_under'), ('diary_api', 'wrapped_key_under'), ('diary_admin', 'admin_destroy_key'))
                """)
            let views = try await lines(
                pool,
                """
                select relname::text from pg_class where relnamespace = 'public'::regnamespace
                    and (relkind = 'm' or (relkind = 'v' and not coalesce(reloptions, '{}') @> array['security_invoker=true']))
                """)

            #expect(loose.isEmpty)
            #expect(everybodys.isEmpty)
            #expect(
                callers.sorted()
                    == (personal.contains("users") ? (administrators + bounces + links + notices + orphans + places).sorted() : []))
            #expect(views.isEmpty)
        }
    }

    @Test("each function that deletes old rows is called by the sweeper, and each kind of old rows has its function")
    func sweeps() async throws {
        let functions = try await lines(
            try await MigratedDatabase.shared().superuser,
            """
            select proname::text from pg_proc where pronamespace = 'public'::regnamespace and proname like 'sweep\\_%'
                and prorettype = 'bigint'::regtype and not proretset
            """)

        #expect(functions.sorted() == RowSweep.allCases.map { "sweep_\($0.rawValue)" }.sorted())
    }

    @Test("every zone of the database's own list is accepted, and no POSIX rule or abbreviation is")
    func zones() async throws {
        let database = try await MigratedDatabase.shared()

        let refused = try await database.superuser.run([
            Statement(
                """
                select count(zone_name(name)) from pg_timezone_names where name !~ '^(posix|right)/' and name not in ('localtime', 'posixrules', 'Factory')
                """)
        ])

        #expect(try refused.first(0)?.int(0) ?? 0 > 500)
        for rule in [
            "UTC+3", "UTC3", "+02:00", "-5", "Foo/Bar+5", "Etc/GMT+99", "Etc/Mars+5", "<A>5", "A5B", "", "Europe/Berlin ", "'",
            "Europe/Berlin\n", "ist", "BST", "pst", "Factory",
        ] {
            #expect(
                await failure { () throws(DatabaseError) in try await database.superuser.query("select zone_name($1)", .text(rule)) }?.kind
                    == .statement(sqlstate: "22023"), "\(rule)")
        }
    }
}
