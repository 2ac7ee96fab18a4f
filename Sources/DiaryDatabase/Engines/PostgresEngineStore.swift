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

extension EngineSettings {
    /// The columns in the order in which `init(_:)` reads them.
    static let columns = """
        name, stage, kind, url, model, secret, command, timeout_seconds, slots, price_per_minute, price_per_million_input,
            price_per_million_output, after_failure, is_local, max_bytes, max_seconds
        """

    /// nil for an engine that only another version of the service knows how to ask.
    init?(_ row: Row) throws(DatabaseError) {
        guard let stage = EngineStage(rawValue: try row.text(1)), let kind = EngineKind(rawValue: try row.text(2)),
            let afterFailure = AfterFailure(rawValue: try row.text(12))
        else { return nil }
        self.init(
            name: try row.text(0), stage: stage, kind: kind, url: try row.textOrNil(3), model: try row.textOrNil(4),
            secret: try row.textOrNil(5), command: try row.texts(6), timeoutSeconds: Int(clamping: try row.int(7)),
            slots: Int(clamping: try row.int(8)),
            price: EnginePrice(
                perMinute: try row.int(9), perMillionInputTokens: try row.int(10), perMillionOutputTokens: try row.int(11)),
            maxBytes: try row.intOrNil(14).map { Int(clamping: $0) }, maxSeconds: try row.intOrNil(15).map { Int(clamping: $0) },
            afterFailure: afterFailure, isLocal: try row.bool(13))
    }

    static func all(_ rows: Rows) throws(DatabaseError) -> [EngineSettings] {
        var engines: [EngineSettings] = []
        for row in rows { if let engine = try EngineSettings(row) { engines.append(engine) } }
        return engines
    }
}
