package import DiaryCore
import PostgresClient

/// Its role cannot read what is sealed, but for `admin_secrets_to_rewrap`.
extension PostgresEngineAdministration: AppSecretRewrapping {
    /// Names and times; nil when there is no such app.
    package func secrets(of slug: String) async throws(DiaryError) -> [AppSecretEntry]? {
        let rows = try await run(
            slug, [Statement("select name, master_id, set_at from app_secrets where tenant_id = current_tenant() order by name")])
        return try decoding { () throws(DatabaseError) in
            guard let app = rows.first(0), try app.uuidOrNil(0) != nil else { return nil }
            return try rows[1].map { row throws(DatabaseError) in
                AppSecretEntry(name: try row.text(0), masterID: try row.text(1), setAt: try row.date(2))
            }
        }
    }

    /// Adds the secret, or replaces the one of its name.
    package func set(_ secret: StoredAppSecret, by operator: String) async throws(DiaryError) {
        do {
            // Without `excluded.sealed`, which the role may not read.
            _ = try await pool.run([
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
        } catch {
            throw error.forClient
        }
    }

    /// - Returns: false when there is none of this name.
    package func unset(secret name: String, of slug: String, by operator: String) async throws(DiaryError) -> Bool {
        let rows = try await run(
            slug,
            [
                Statement(
                    """
                    with gone as (delete from app_secrets where tenant_id = current_tenant() and name = $1 returning name)
                    insert into tenant_acts (slug, act, settings, operator)
                    select $2, 'changed', array['secrets.' || name], $3 from gone returning slug
                    """, [.text(name), .text(slug), .text(`operator`)])
            ])
        return rows.first(1) != nil
    }

    package func secretsByMaster() async throws(DiaryError) -> [String: Int] {
        let rows = try await send(Statement("select master, secrets from admin_count_secrets()"))
        return try decoding { () throws(DatabaseError) in
            var counts: [String: Int] = [:]
            for row in rows { counts[try row.text(0)] = Int(clamping: try row.int(1)) }
            return counts
        }
    }

    package func secrets(
        notUnder masterID: String, after: StoredAppSecret?, limit: Int
    ) async throws(DiaryError) -> [StoredAppSecret] {
        let rows = try await send(
            Statement(
                "select tenant, name, master, sealed, set_at from admin_secrets_to_rewrap($1, $2, $3, $4)",
                [.text(masterID), .uuid(after?.tenant.uuid), .text(after?.name), .int4(Int32(clamping: limit))]))
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                StoredAppSecret(
                    tenant: TenantID(try row.uuid(0)), name: try row.text(1), masterID: try row.text(2), sealed: try row.bytes(3),
                    setAt: try row.date(4))
            }
        }
    }

    package func rewrap(_ old: StoredAppSecret, to new: StoredAppSecret) async throws(DiaryError) -> Bool {
        let rows = try await send(
            Statement(
                "select admin_rewrap_secret($1, $2, $3, $4, $5, $6)",
                [
                    .uuid(old.tenant.uuid), .text(old.name), .text(old.masterID), .bytes(old.sealed), .text(new.masterID),
                    .bytes(new.sealed),
                ]))
        guard let row = rows.first else { return false }
        return try decoding { () throws(DatabaseError) in try row.bool(0) }
    }

    private func send(_ statement: Statement) async throws(DiaryError) -> Rows {
        do { return try await pool.run([statement])[0] } catch { throw error.forClient }
    }
}
