package import DiaryCore
package import Logging
package import PostgresClient

/// Every row of one tenant as JSON, read as `diary_backup` in one snapshot. Text, addresses and keys stay sealed or wrapped, as stored.
package struct TenantDump: Sendable {
    private let session: DedicatedConnection
    private let tenant: TenantID

    /// - Parameter connection: as `diary_backup`, which reads every row and changes none.
    package init(_ connection: ConnectionSettings, tenant: TenantID, logger: Logger) throws(DatabaseError) {
        session = try DedicatedConnection(connection, runDeadline: .seconds(60), logger: logger)
        self.tenant = tenant
    }

    /// - Parameters:
    ///   - begin: called before a table's rows.
    ///   - page: some rows of it, each a JSON object on one line; `bytea` as `\x` and hex digits.
    package func read(begin: (_ table: String) throws -> Void, page: (_ lines: [String]) throws -> Void) async throws {
        defer { session.close() }
        try await session.runScript("begin isolation level repeatable read read only")
        for (table, column) in try await tables() {
            try begin(table)
            // `declare cursor` takes no parameters here; the id is a UUID and prints as hex digits and dashes.
            try await session.runScript(
                "declare dump no scroll cursor for select to_jsonb(t)::text from \"\(table)\" t where \(column) = '\(tenant)'")
            while true {
                let rows = try await session.run([Statement("fetch 500 from dump")])
                let lines = try rows[0].all { try $0.text() }
                if lines.isEmpty { break }
                try page(lines)
            }
            try await session.runScript("close dump")
        }
        try await session.runScript("commit")
    }

    /// Tables of the schema that hold a tenant's rows, parents before children as far as names show; `tenants` itself first.
    private func tables() async throws(DatabaseError) -> [(table: String, column: String)] {
        let rows = try await session.run([
            Statement(
                """
                select c.relname::text, case c.relname when 'tenants' then 'id' else 'tenant_id' end
                from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                    and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
                order by case c.relname when 'tenants' then 0 when 'users' then 1 when 'user_sync' then 2 else 3 end, 1
                """)
        ])
        return try rows[0].all { row throws(DatabaseError) in (table: try row.text(), column: try row.text()) }
    }
}
