package import DiaryCore
package import PostgresClient

/// The consents of members, by the database role `diary_worker`.
package struct PostgresConsentStore: ConsentStore {
    let transaction: OwnerTransaction

    package func hostedProcessing(of owner: Owner) async throws(WorkError) -> Bool {
        try await transaction.forWorker(owner).one(
            "select hosted_processing_consent_at is not null from users where tenant_id = $1 and id = $2 and deleted_at is null",
            owner.parameters
        ) { try $0.bool() } ?? false
    }
}

extension PostgresConsentStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
