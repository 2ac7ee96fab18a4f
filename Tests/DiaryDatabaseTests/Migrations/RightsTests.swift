import PostgresClient
import Testing

@testable import DiaryDatabase

/// What a restore without the database's own grants, or a statement by hand, changes in a schema whose migrations are all applied.
@Suite("Rights of a migrated database", .timeLimit(.minutes(2)))
struct RightsTests {
    private func refusal(_ database: FreshDatabase) async -> MigrationError? {
        do throws(MigrationError) {
            try await database.migrator.verify()
            return nil
        } catch { return error }
    }

    @Test("rights.txt lists what a freshly migrated database has; scripts/migrations writes it", arguments: MigratedSchema.allCases)
    func fresh(schema: MigratedSchema) async throws {
        let refusal = await refusal(try await FreshDatabase.migrated(schema))

        #expect(refusal == nil, "\(refusal.map { "\($0)" } ?? "")\nrun scripts/migrations")
    }

    @Test(
        "each change of a right, an owner, row-level security or a policy is found and named",
        arguments: [
            ("grant temporary on database DATABASE to public", [], ["database: PUBLIC TEMPORARY"]),
            (
                "revoke update on tenants from diary_admin", ["table tenants: diary_admin INSERT, SELECT, UPDATE"],
                ["table tenants: diary_admin INSERT, SELECT"]
            ),
            ("grant select on entries to public", [], ["table entries: PUBLIC SELECT"]),
            ("revoke update (locale) on users from diary_api", ["column users.locale: diary_api UPDATE"], []),
            ("grant select (payload) on mails to diary_auth", [], ["column mails.payload: diary_auth SELECT"]),
            (
                "revoke execute on function set_owner(uuid, uuid) from diary_worker",
                ["function set_owner(uuid,uuid): diary_worker EXECUTE"], []
            ),
            ("grant execute on function current_member() to public", [], ["function current_member(): PUBLIC EXECUTE"]),
            ("revoke usage on schema public from diary_api", ["schema public: diary_api USAGE"], []),
            ("grant create on schema public to public", [], ["schema public: PUBLIC CREATE"]),
            (
                "alter table entries no force row level security", ["table entries: row security on, forced"],
                ["table entries: row security on"]
            ),
            (
                "alter table mails disable row level security", ["table mails: row security on, forced"],
                ["table mails: row security off, forced"]
            ),
            (
                "alter table exports owner to postgres",
                [
                    "table exports: diary_owner DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE",
                    "table exports: owner diary_owner",
                ],
                [
                    "table exports: owner postgres",
                    "table exports: postgres DELETE, INSERT, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE",
                ]
            ),
            (
                "alter default privileges for role diary_owner in schema public revoke select on tables from diary_backup",
                ["default for new tables: diary_backup SELECT"], []
            ),
            ("alter view abandoned_sign_ups reset (security_invoker)", ["view abandoned_sign_ups: security_invoker=true"], []),
        ])
    func changes(sql: String, missing: [String], unexpected: [String]) async throws {
        let database = try await FreshDatabase.migrated(.main)

        try await database.sql(sql.replacing("DATABASE", with: "\"\(database.name)\""))

        #expect(await refusal(database) == .rights(missing: missing, unexpected: unexpected))
    }

    @Test("a policy that lets another's rows pass is found, with its expression")
    func policy() async throws {
        let database = try await FreshDatabase.migrated(.keys)

        try await database.sql("alter policy user_keys_api on user_keys using (true)")

        guard case .rights(let missing, let unexpected) = await refusal(database) else {
            Issue.record("not found")
            return
        }
        #expect(missing.count == 1 && missing.allSatisfy { $0.contains("using ((tenant_id = current_tenant())") })
        #expect(
            unexpected.count == 1
                && unexpected.allSatisfy { $0.hasPrefix("policy user_keys_api on user_keys: all to diary_api using true") })
    }

    @Test("who may connect to the database is the operator's, and not compared")
    func operators() async throws {
        let database = try await FreshDatabase.migrated(.main)

        try await database.sql(
            "revoke connect on database \"\(database.name)\" from public; grant connect on database \"\(database.name)\" to diary_api")

        #expect(await refusal(database) == nil)
    }
}
