package import DiaryCore
package import PostgresClient

/// The consents of members, by the database role `diary_worker`.
package struct PostgresConsentStore: ConsentStore {
    let transaction: OwnerTransaction

    package func hostedProcessing(of owner: Owner) async throws(WorkError) -> Bool {
        do {
            let rows = try await transaction.run(
                owner,
                [
                    Statement(
                        "select hosted_processing_consent_at is not null from users where tenant_id = $1 and id = $2 and deleted_at is null",
                        owner.parameters)
                ])
            return try rows.first(0)?.bool(0) ?? false
        } catch {
            throw error.forWorker
        }
    }
}

extension PostgresConsentStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
