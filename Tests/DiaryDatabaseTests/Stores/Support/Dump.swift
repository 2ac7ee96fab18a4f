import DiaryCore
import PostgresClient

@testable import DiaryDatabase

/// All rows with an owner in both databases, hashed table by table.
struct Dump: Equatable {
    let hashes: [String: String]

    static let main = [
        "users", "user_sync", "identities", "email_codes", "sessions", "entries", "entry_segments", "idempotency_keys", "jobs", "exports",
        "mails", "audit_events", "apple_grants",
    ]
    /// Rows of an app that name no user.
    static let apps = ["sign_in_challenges", "provider_notices"]

    static func of(_ owner: Owner, in database: MigratedDatabase) async throws -> Dump {
        func statements(_ tables: [String]) -> [Statement] {
            tables.map { table in
                let user = table == "users" ? "id" : "user_id"
                return Statement(
                    "select count(*) || ' ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '-') from \(table) t where tenant_id = $1 and \(user) = $2",
                    owner.parameters)
            }
        }
        let rows = try await database.superuser.run(statements(main))
        let keys = try await database.keySuperuser.run(statements(["user_keys"]))
        var hashes: [String: String] = [:]
        for (table, rows) in zip(main + ["user_keys"], rows + keys) { hashes[table] = try rows.first?.text(0) }
        return Dump(hashes: hashes)
    }

    /// The tables that differ.
    func changed(since other: Dump) -> [String] { hashes.keys.filter { hashes[$0] != other.hashes[$0] }.sorted() }
}
