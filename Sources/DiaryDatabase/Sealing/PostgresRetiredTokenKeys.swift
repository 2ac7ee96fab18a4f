package import DiaryCore
package import PostgresClient

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
