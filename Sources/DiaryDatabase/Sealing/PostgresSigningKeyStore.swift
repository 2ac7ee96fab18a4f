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
        do {
            let rows = try await pool.run([
                Statement("select kid, master_id, sealed, published_at, signs_from from signing_keys order by signs_from, kid")
            ])
            return try rows[0].map { row throws(DatabaseError) in
                let master = try row.textOrNil(1)
                let bytes = try row.bytesOrNil(2)
                return StoredSigningKey(
                    kid: try row.text(0), sealed: master.flatMap { master in bytes.map { Sealed(masterID: master, bytes: $0) } },
                    publishedAt: try row.date(3), signsFrom: try row.date(4))
            }
        } catch {
            throw error.forClient
        }
    }
}

/// In the main database: read as `diary_api`, written as `diary_admin`.
package struct PostgresRetiredTokenKeys: RetiredTokenKeys {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func retired(among kids: [String]) async throws(DiaryError) -> Set<String> {
        do {
            let rows = try await pool.run([Statement("select kid from retired_token_keys where kid = any ($1)", [.texts(kids)])])
            return Set(try rows[0].map { row throws(DatabaseError) in try row.text(0) })
        } catch {
            throw error.forClient
        }
    }

    package func record(_ kids: [String]) async throws(DiaryError) {
        do {
            _ = try await pool.run([
                Statement("insert into retired_token_keys (kid) select unnest($1) on conflict do nothing", [.texts(kids)])
            ])
        } catch {
            throw error.forClient
        }
    }
}
