package import DiaryCore
package import PostgresClient

/// What `diary tenant` does, by the database role `diary_admin`: a change and its record with the operator's name are one transaction.
package struct PostgresTenantAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// - Returns: false when the slug is taken.
    package func create(_ tenant: Tenant, by operator: String) async throws(DiaryError) -> Bool {
        try await pool.forClient.run(
            """
            with made as (
                insert into tenants (id, slug, name, mail_from_name, mail_from_address, configuration)
                values ($1, $2, $3, $4, $5, $6::jsonb)
                on conflict on constraint tenants_slug_key do nothing returning slug),
            noted as (insert into tenant_acts (slug, act, settings, operator) select slug, 'created', $7::text[], $8 from made)
            select slug from made
            """,
            [
                .uuid(tenant.id.uuid), .text(tenant.slug), .text(tenant.name), .text(tenant.mailFromName),
                .text(tenant.mailFromAddress), .json(tenant.configuration.json), .texts(tenant.configuration.values.keys.sorted()),
                .text(`operator`),
            ]
        ).first != nil
    }

    /// - Returns: the tenant as it is now; nil when there is no such app.
    package func change(
        _ slug: String, _ change: TenantChange, _ kind: TenantAct.Kind, by operator: String
    ) async throws(DiaryError) -> Tenant? {
        let names = change.configured.values.keys.sorted() + change.unset
        return try await pool.forClient.one(
            """
            with changed as (
                update tenants set name = coalesce($2, name), mail_from_name = coalesce($3, mail_from_name),
                    mail_from_address = coalesce($4, mail_from_address), configuration = (configuration || $5::jsonb) - $6::text[],
                    suspended_at = case when $7 then coalesce(suspended_at, clock_timestamp()) when not $7 then null else suspended_at end
                where slug = $1 returning \(Tenant.columns)),
            noted as (
                insert into tenant_acts (slug, act, settings, operator) select slug, $8, $9::text[], $10 from changed)
            select * from changed
            """,
            [
                .text(slug), .text(change.name), .text(change.mailFromName), .text(change.mailFromAddress),
                .json(change.configured.json), .texts(change.unset), .bool(change.suspended), .text(kind.rawValue), .texts(names),
                .text(`operator`),
            ]
        ) { try Tenant(&$0) }
    }

    /// Replaces the client ids of the providers that are given.
    /// - Returns: the tenant as it is now; nil when there is none of this slug.
    package func setClientIDs(
        apple: Set<String>?, google: Set<String>?, of slug: String, by operator: String
    ) async throws(DiaryError) -> Tenant? {
        try await pool.forClient.one(
            """
            with changed as (
                update tenants set apple_client_ids = coalesce($2, apple_client_ids), google_client_ids = coalesce($3, google_client_ids)
                where slug = $1 returning \(Tenant.columns)),
            noted as (
                insert into tenant_acts (slug, act, settings, operator)
                select slug, 'changed', array_remove(array[case when $2 is not null then 'apple_client_ids' end,
                    case when $3 is not null then 'google_client_ids' end], null), $4
                from changed where $2 is not null or $3 is not null)
            select * from changed
            """, [.text(slug), .texts(apple?.sorted()), .texts(google?.sorted()), .text(`operator`)]
        ) { try Tenant(&$0) }
    }

    /// Marks the app as the default instead of any other, or as none.
    /// - Returns: false when there is no such app.
    package func setDefault(_ slug: String, _ isDefault: Bool, by operator: String) async throws(DiaryError) -> Bool {
        let rows = try await pool.forClient.run([
            // One default at a time, also between the rows of a statement (index `tenants_one_default`).
            Statement(
                "update tenants set is_default = false where is_default and slug <> $1 and $2 and exists (select from tenants where slug = $1)",
                [.text(slug), .bool(isDefault)]),
            Statement(
                """
                with changed as (update tenants set is_default = $2 where slug = $1 returning slug),
                noted as (insert into tenant_acts (slug, act, settings, operator) select slug, 'changed', '{default}', $3 from changed)
                select slug from changed
                """, [.text(slug), .bool(isDefault), .text(`operator`)]),
        ])
        return rows.first(1) != nil
    }

    package func all() async throws(DiaryError) -> [Tenant] {
        try await Tenant.read(from: pool)
    }

    /// Newest first.
    package func acts(on slug: String, limit: Int) async throws(DiaryError) -> [TenantAct] {
        try await pool.forClient.all(
            "select at, act, settings, operator from tenant_acts where slug = $1 order by at desc, id desc limit $2",
            [.text(slug), .int(Int64(limit))]
        ) { row in
            TenantAct(at: try row.date(), kind: try row.known(), settings: try row.texts(), operator: try row.text())
        }
    }
}
