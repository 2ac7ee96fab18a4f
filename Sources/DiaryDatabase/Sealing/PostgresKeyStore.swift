package import DiaryCore
package import DiaryCrypto
package import PostgresClient

/// Wrapped data keys in a separate database with its own pool.
package struct PostgresKeyStore: KeyStore {
    let transaction: OwnerTransaction

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        do {
            let rows = try await transaction.run(
                owner,
                [Statement("select key_id, master_id, wrapped from user_keys where tenant_id = $1 and user_id = $2", owner.parameters)])
            return try rows.first(0).map { row throws(DatabaseError) in
                WrappedKey(keyID: try row.uuid(0), masterID: try row.text(1), bytes: try row.bytes(2))
            }
        } catch {
            throw error.forClient
        }
    }

    package func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {
        try await write(owner, [Self.insertion(of: key, owner)])
    }

    package func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {
        try await write(owner, [Self.insertion(of: key, owner), Self.deletion(owner)])
    }

    package func destroy(keyOf owner: Owner) async throws(DiaryError) {
        try await write(owner, [Self.deletion(owner)])
    }

    private static func insertion(of key: WrappedKey, _ owner: Owner) -> Statement {
        Statement(
            "insert into user_keys (tenant_id, user_id, key_id, master_id, wrapped) values ($1, $2, $3, $4, $5)",
            owner.parameters + [.uuid(key.keyID), .text(key.masterID), .bytes(key.bytes)])
    }

    private static func deletion(_ owner: Owner) -> Statement {
        Statement("delete from user_keys where tenant_id = $1 and user_id = $2", owner.parameters)
    }

    private func write(_ owner: Owner, _ statements: [Statement]) async throws(DiaryError) {
        do { _ = try await transaction.run(owner, statements) } catch { throw error.forClient }
    }
}

extension PostgresKeyStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
