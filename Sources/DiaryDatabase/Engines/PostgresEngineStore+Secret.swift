package import DiaryCore
import PostgresClient

extension PostgresEngineStore: AppSecretStore {
    package func secret(_ name: String, of tenant: TenantID) async throws(DiaryError) -> StoredAppSecret? {
        let rows: [Rows]
        do {
            rows = try await transaction.run(
                tenant, nil,
                [
                    Statement(
                        "select master_id, sealed, set_at from app_secrets where tenant_id = $1 and name = $2",
                        [.uuid(tenant.uuid), .text(name)])
                ])
        } catch {
            throw error.forClient
        }
        guard let row = rows.first(0) else { return nil }
        return try decoding { () throws(DatabaseError) in
            StoredAppSecret(
                tenant: tenant, name: name, masterID: try row.text(0), sealed: try row.bytes(1), setAt: try row.date(2))
        }
    }
}
