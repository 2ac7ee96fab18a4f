package import DiaryCore
import PostgresClient

/// Its role cannot read what is sealed, but for `admin_secrets_to_rewrap`.
extension PostgresEngineAdministration: AppSecretRewrapping {
    /// Names and times; nil when there is no such app.
    package func secrets(of slug: String) async throws(DiaryError) -> [AppSecretEntry]? {
        let all = Statement("select name, master_id, set_at from app_secrets where tenant_id = current_tenant() order by name")
        return try await pool.forClient.run([Self.app(slug), all]) { rows in
            guard let app = rows.first(0), try !app.nextIsNull() else { return nil }
            return try rows[1].all { AppSecretEntry(name: try $0.text(), masterID: try $0.text(), setAt: try $0.date()) }
        }
    }

    /// Adds the secret, or replaces the one of its name.
    package func set(_ secret: StoredAppSecret, by operator: String) async throws(DiaryError) {
        // Without `excluded.sealed`, which the role may not read.
        try await pool.forClient.run([
            Statement("select set_owner($1, null)", [.uuid(secret.tenant.uuid)]),
            Statement(
                """
                insert into app_secrets (tenant_id, name, master_id, sealed) values ($1, $2, $3, $4)
                on conflict on constraint app_secrets_pk
                do update set master_id = $3, sealed = $4, set_at = clock_timestamp()
                """, [.uuid(secret.tenant.uuid), .text(secret.name), .text(secret.masterID), .bytes(secret.sealed)]),
            Statement(
                """
                insert into tenant_acts (slug, act, settings, operator)
                select slug, 'changed', array['secrets.' || $2], $3 from tenants where id = $1
                """, [.uuid(secret.tenant.uuid), .text(secret.name), .text(`operator`)]),
        ])
    }

    /// - Returns: false when there is none of this name.
    package func unset(secret name: String, of slug: String, by operator: String) async throws(DiaryError) -> Bool {
        let gone = Statement(
            """
            with gone as (delete from app_secrets where tenant_id = current_tenant() and name = $1 returning name)
            insert into tenant_acts (slug, act, settings, operator)
            select $2, 'changed', array['secrets.' || name], $3 from gone returning slug
            """, [.text(name), .text(slug), .text(`operator`)])
        return try await pool.forClient.run([Self.app(slug), gone]).first(1) != nil
    }

    package func secretsByMaster() async throws(DiaryError) -> [String: Int] {
        let counts = try await pool.forClient.all("select master, secrets from admin_count_secrets()") { row in
            (try row.text(), try row.count())
        }
        return Dictionary(counts) { _, last in last }
    }

    package func secrets(
        notUnder masterID: String, after: StoredAppSecret?, limit: Int
    ) async throws(DiaryError) -> [StoredAppSecret] {
        try await pool.forClient.all(
            "select tenant, name, master, sealed, set_at from admin_secrets_to_rewrap($1, $2, $3, $4)",
            [.text(masterID), .uuid(after?.tenant.uuid), .text(after?.name), .int4(Int32(clamping: limit))]
        ) { row in
            StoredAppSecret(
                tenant: TenantID(try row.uuid()), name: try row.text(), masterID: try row.text(), sealed: try row.bytes(),
                setAt: try row.date())
        }
    }

    package func rewrap(_ old: StoredAppSecret, to new: StoredAppSecret) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_rewrap_secret($1, $2, $3, $4, $5, $6)",
            [
                .uuid(old.tenant.uuid), .text(old.name), .text(old.masterID), .bytes(old.sealed), .text(new.masterID),
                .bytes(new.sealed),
            ]
        ) { try $0.bool() } ?? false
    }
}
