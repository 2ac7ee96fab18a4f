package import DiaryCore
package import DiaryCrypto
package import PostgresClient

/// In the key database, as the role of the process that starts.
package struct PostgresKeyCheckStore: KeyCheckStore {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func recorded(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]] {
        let rows = try await run("select name, value from key_checks where name = any ($1)", [.texts(names)])
        return try decoding { () throws(DatabaseError) in
            var values: [String: [UInt8]] = [:]
            for row in rows { values[try row.text(0)] = try row.bytes(1) }
            return values
        }
    }

    package func record(_ checks: [KeyCheck]) async throws(DiaryError) {
        for check in checks {
            _ = try await run(
                "insert into key_checks (name, value) values ($1, $2) on conflict do nothing", [.text(check.name), .bytes(check.value)])
        }
    }

    package func wrappedKey(under masterID: String) async throws(DiaryError) -> (owner: Owner, key: WrappedKey)? {
        let rows = try await run("select tenant, member, key, wrapped from wrapped_key_under($1)", [.text(masterID)])
        return try decoding { () throws(DatabaseError) in
            try rows.first.map { row throws(DatabaseError) in
                (try Owner(row), WrappedKey(keyID: try row.uuid(2), masterID: masterID, bytes: try row.bytes(3)))
            }
        }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
