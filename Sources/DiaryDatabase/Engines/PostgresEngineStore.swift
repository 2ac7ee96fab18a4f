package import DiaryCore
package import PostgresClient

/// An app's engines and secrets, and what an account has chosen, by the database role `diary_worker`.
package struct PostgresEngineStore: EngineStore {
    let transaction: OwnerTransaction

    package func chains(of tenant: TenantID) async throws(DiaryError) -> StoredChains {
        let rows: [Rows]
        do {
            rows = try await transaction.run(
                tenant, nil,
                [
                    Statement(
                        "select \(EngineSettings.columns) from app_engines where tenant_id = $1 order by stage, position, name",
                        [.uuid(tenant.uuid)]),
                    Statement("select name, master_id, sealed, set_at from app_secrets where tenant_id = $1", [.uuid(tenant.uuid)]),
                ])
        } catch {
            throw error.forClient
        }
        return try decoding { () throws(DatabaseError) in
            var stored = StoredChains(engines: try EngineSettings.all(rows[0]))
            for row in rows[1] {
                let name = try row.text(0)
                stored.secrets[name] = StoredAppSecret(
                    tenant: tenant, name: name, masterID: try row.text(1), sealed: try row.bytes(2), setAt: try row.date(3))
            }
            return stored
        }
    }

    package func choice(of owner: Owner) async throws(DiaryError) -> EngineChoice {
        let rows: [Rows]
        do {
            rows = try await transaction.run(
                owner, [Statement("select speech_engine, text_engine from users where tenant_id = $1 and id = $2", owner.parameters)])
        } catch {
            throw error.forClient
        }
        guard let row = rows.first(0) else { return EngineChoice() }
        return try decoding { () throws(DatabaseError) in
            EngineChoice(speech: try row.textOrNil(0), text: try row.textOrNil(1))
        }
    }
}

extension PostgresEngineStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
