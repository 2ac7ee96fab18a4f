package import DiaryCore
package import PostgresClient

/// Token keys as `diary_api` reads them from the key database.
package struct PostgresSigningKeyStore: SigningKeyStore {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func signingKeys() async throws(DiaryError) -> [StoredSigningKey] { try await StoredSigningKey.all(pool) }
}

extension StoredSigningKey {
    static func all(_ pool: ConnectionPool) async throws(DiaryError) -> [StoredSigningKey] {
        try await pool.forClient.all(
            "select kid, master_id, sealed, published_at, signs_from from signing_keys order by signs_from, kid"
        ) { row in
            let (kid, master, bytes) = (try row.text(), try row.textOrNil(), try row.bytesOrNil())
            return StoredSigningKey(
                kid: kid, sealed: master.flatMap { master in bytes.map { Sealed(masterID: master, bytes: $0) } },
                publishedAt: try row.date(), signsFrom: try row.date())
        }
    }
}

/// In the main database: read as `diary_api`, written as `diary_admin`.
package struct PostgresRetiredTokenKeys: RetiredTokenKeys {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func retired(among kids: [String]) async throws(DiaryError) -> Set<String> {
        Set(try await pool.forClient.all("select kid from retired_token_keys where kid = any ($1)", [.texts(kids)]) { try $0.text() })
    }

    package func record(_ kids: [String]) async throws(DiaryError) {
        try await pool.forClient.run("insert into retired_token_keys (kid) select unnest($1) on conflict do nothing", [.texts(kids)])
    }
}
