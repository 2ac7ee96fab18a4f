package import DiaryCore
package import PostgresClient

/// An app's engines and secrets, and what an account has chosen, by the database role `diary_worker`.
package struct PostgresEngineStore: EngineStore {
    let transaction: OwnerTransaction

    package func chains(of tenant: TenantID) async throws(DiaryError) -> StoredChains {
        try await transaction.forClient(tenant).run([
            Statement(
                "select \(EngineSettings.columns) from app_engines where tenant_id = $1 order by stage, position, name",
                [.uuid(tenant.uuid)]),
            Statement("select name, master_id, sealed, set_at from app_secrets where tenant_id = $1", [.uuid(tenant.uuid)]),
        ]) { rows in
            var stored = StoredChains(engines: try rows[0].all { try EngineSettings(&$0) }.compactMap(\.self))
            for var row in rows[1] {
                let secret = try StoredAppSecret(&row, of: tenant)
                stored.secrets[secret.name] = secret
            }
            return stored
        }
    }

    package func choice(of owner: Owner) async throws(DiaryError) -> EngineChoice {
        try await transaction.forClient(owner).one(
            "select speech_engine, text_engine from users where tenant_id = $1 and id = $2", owner.parameters
        ) { EngineChoice(speech: try $0.textOrNil(), text: try $0.textOrNil()) } ?? EngineChoice()
    }
}

extension PostgresEngineStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}

extension PostgresEngineStore: AppSecretStore {
    package func secret(_ name: String, of tenant: TenantID) async throws(DiaryError) -> StoredAppSecret? {
        try await transaction.forClient(tenant).one(
            "select name, master_id, sealed, set_at from app_secrets where tenant_id = $1 and name = $2", [.uuid(tenant.uuid), .text(name)]
        ) { try StoredAppSecret(&$0, of: tenant) }
    }
}

extension StoredAppSecret {
    fileprivate init(_ row: inout Row, of tenant: TenantID) throws(DatabaseError) {
        self.init(
            tenant: tenant, name: try row.text(), masterID: try row.text(), sealed: try row.bytes(), setAt: try row.date())
    }
}

extension EngineSettings {
    /// The columns in the order in which `init(_:)` reads them.
    static let columns = """
        stage, kind, after_failure, name, url, model, secret, command, timeout_seconds, slots, price_per_minute, price_per_million_input,
            price_per_million_output, max_bytes, max_seconds, is_local
        """

    /// nil for an engine that only another version of the service knows how to ask.
    init?(_ row: inout Row) throws(DatabaseError) {
        guard let stage = EngineStage(rawValue: try row.text()), let kind = EngineKind(rawValue: try row.text()),
            let afterFailure = AfterFailure(rawValue: try row.text())
        else { return nil }
        self.init(
            name: try row.text(), stage: stage, kind: kind, url: try row.textOrNil(), model: try row.textOrNil(),
            secret: try row.textOrNil(), command: try row.texts(), timeoutSeconds: try row.count(), slots: try row.count(),
            price: EnginePrice(perMinute: try row.int(), perMillionInputTokens: try row.int(), perMillionOutputTokens: try row.int()),
            maxBytes: try row.countOrNil(), maxSeconds: try row.countOrNil(), afterFailure: afterFailure, isLocal: try row.bool())
    }
}
