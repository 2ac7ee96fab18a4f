import DiaryCore
import PostgresClient

@testable import DiaryDatabase

/// All rows with an owner in both databases, hashed table by table.
struct Dump: Equatable {
    let hashes: [String: String]

    /// Of an app, naming no user.
    static let apps = [
        "sign_in_challenges", "provider_notices", "app_engines", "app_secrets", "usage_app_days", "mail_bounces",
        "mail_events", "mail_templates",
    ]
    static let keys = ["user_keys"]

    /// The tables of the main database whose rows name a tenant and a user, read from the catalogue.
    static func members(in database: MigratedDatabase) async throws -> [String] {
        try await database.superuser.run([
            Statement(
                """
                select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
                where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                group by c.relname having array_agg(a.attname::text) @> array['tenant_id', case c.relname when 'users' then 'id' else 'user_id' end]
                order by 1
                """)
        ])[0].map { try $0.text(0) }
    }

    /// - Parameter known: the tables of the main database, where they have been read.
    static func of(_ owner: Owner, in database: MigratedDatabase, members known: [String]? = nil) async throws -> Dump {
        func statements(_ tables: [String]) -> [Statement] {
            tables.map { table in
                let user = table == "users" ? "id" : "user_id"
                return Statement(
                    "select count(*) || ' ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '-') from \(table) t where tenant_id = $1 and \(user) = $2",
                    owner.parameters)
            }
        }
        var tables = known ?? []
        if known == nil { tables = try await members(in: database) }
        let rows = try await database.superuser.run(statements(tables))
        let keyRows = try await database.keySuperuser.run(statements(keys))
        var hashes: [String: String] = [:]
        for (table, rows) in zip(tables + keys, rows + keyRows) { hashes[table] = try rows.first?.text(0) }
        return Dump(hashes: hashes)
    }

    /// The tables that differ.
    func changed(since other: Dump) -> [String] { hashes.keys.filter { hashes[$0] != other.hashes[$0] }.sorted() }
}
