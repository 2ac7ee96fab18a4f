package import DiaryCore
package import DiaryCrypto
package import PostgresClient

/// Wrapped data keys in a separate database with its own pool.
package struct PostgresKeyStore: KeyStore {
    let transaction: OwnerTransaction

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        try await transaction.forClient(owner).one(
            "select key_id, master_id, wrapped from user_keys where tenant_id = $1 and user_id = $2", owner.parameters
        ) { WrappedKey(keyID: try $0.uuid(), masterID: try $0.text(), bytes: try $0.bytes()) }
    }

    package func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {
        try await transaction.forClient(owner).run([Self.insertion(of: key, owner)])
    }

    package func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {
        try await transaction.forClient(owner).run([Self.insertion(of: key, owner), Self.deletion(owner)])
    }

    package func destroy(keyOf owner: Owner) async throws(DiaryError) {
        try await transaction.forClient(owner).run([Self.deletion(owner)])
    }

    private static func insertion(of key: WrappedKey, _ owner: Owner) -> Statement {
        Statement(
            "insert into user_keys (tenant_id, user_id, key_id, master_id, wrapped) values ($1, $2, $3, $4, $5)",
            owner.parameters + [.uuid(key.keyID), .text(key.masterID), .bytes(key.bytes)])
    }

    private static func deletion(_ owner: Owner) -> Statement {
        Statement("delete from user_keys where tenant_id = $1 and user_id = $2", owner.parameters)
    }
}

extension PostgresKeyStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
