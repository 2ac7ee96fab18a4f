package import DiaryCore
package import DiaryCrypto
package import PostgresClient

/// In the key database, as the role of the process that starts.
package struct PostgresKeyCheckStore: KeyCheckStore {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func recorded(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]] {
        let values = try await pool.forClient.all("select name, value from key_checks where name = any ($1)", [.texts(names)]) { row in
            (try row.text(), try row.bytes())
        }
        return Dictionary(values) { _, last in last }
    }

    package func record(_ checks: [KeyCheck]) async throws(DiaryError) {
        for check in checks {
            try await pool.forClient.run(
                "insert into key_checks (name, value) values ($1, $2) on conflict do nothing", [.text(check.name), .bytes(check.value)])
        }
    }

    package func wrappedKey(under masterID: String) async throws(DiaryError) -> (owner: Owner, key: WrappedKey)? {
        try await pool.forClient.one("select tenant, member, key, wrapped from wrapped_key_under($1)", [.text(masterID)]) { row in
            (owner: try Owner(&row), key: WrappedKey(keyID: try row.uuid(), masterID: masterID, bytes: try row.bytes()))
        }
    }
}
