package import DiaryCore
import FoundationEssentials
package import PostgresClient
import Synchronization

/// Tenants, cached: few rows, needed by every sign-in.
package final class PostgresTenantStore: TenantStore {
    private struct Snapshot {
        var tenants: [Tenant] = []
        var readAt: ContinuousClock.Instant?
        /// When `origins` last read them, or tried to.
        var originsReadAt: ContinuousClock.Instant?
        /// Origins of every app, and under nil those of all together.
        var origins: [TenantID?: Set<String>] = [:]
    }

    private let pool: ConnectionPool
    private let freshFor: Duration
    private let snapshot = Mutex(Snapshot())

    package init(pool: ConnectionPool, freshFor: Duration = .seconds(5)) {
        self.pool = pool
        self.freshFor = freshFor
    }

    package func tenant(slug: String) async throws(DiaryError) -> Tenant? { try await all().first { $0.slug == slug } }

    /// Reads them again when the cached ones lack it: a row may name an app that was created since, and a job for it must not count as one
    /// of an app that is gone.
    package func tenant(id: TenantID) async throws(DiaryError) -> Tenant? {
        if let known = try await all().first(where: { $0.id == id }) { return known }
        return try await read().first { $0.id == id }
    }

    package func all() async throws(DiaryError) -> [Tenant] {
        let kept = snapshot.withLock { $0 }
        if let readAt = kept.readAt, readAt.duration(to: .now) < freshFor { return kept.tenants }
        return try await read()
    }

    /// Reads them again even if the cache is fresh; keeps the cached ones when the database is down.
    package func refresh() async { _ = try? await read() }

    /// From the cache, without waiting; nil before the first read.
    package func known(_ id: TenantID) -> Tenant? { snapshot.withLock { $0.tenants.first { $0.id == id } } }

    package func known(_ reference: AppReference) -> Tenant? { snapshot.withLock { $0.tenants }.app(reference) }

    /// The origins whose web pages may call an app; without one, those of every app. One request in `freshFor` reads them, also while the
    /// database is down; the others take the cached ones.
    package func origins(of tenant: TenantID?) async -> Set<String> {
        let isDue = snapshot.withLock { kept in
            let last = [kept.readAt, kept.originsReadAt].compactMap(\.self).max()
            guard let last, last.duration(to: .now) < freshFor else {
                kept.originsReadAt = .now
                return true
            }
            return kept.readAt == nil
        }
        if isDue { await refresh() }
        return snapshot.withLock { $0.origins[tenant] } ?? []
    }

    /// Those of every app, from the cache, without waiting; none before the first read.
    package var knownOrigins: Set<String> { snapshot.withLock { $0.origins[nil] } ?? [] }

    private func read() async throws(DiaryError) -> [Tenant] {
        let read = try await Tenant.read(from: pool)
        var origins: [TenantID?: Set<String>] = [:]
        for tenant in read {
            let own = Set(tenant.configuration.list(.corsOrigins))
            origins[tenant.id] = own
            origins[nil, default: []].formUnion(own)
        }
        snapshot.withLock { $0 = Snapshot(tenants: read, readAt: .now, originsReadAt: .now, origins: origins) }
        return read
    }
}

extension Tenant {
    /// Reads all tenants, in the order of their slugs.
    static func read(from pool: ConnectionPool) async throws(DiaryError) -> [Tenant] {
        try await pool.forClient.all("select \(columns) from tenants order by slug") { try Tenant(&$0) }
    }

    static let columns =
        "id, slug, name, mail_from_name, mail_from_address, created_at, suspended_at, configuration::text, apple_client_ids, google_client_ids, is_default"

    /// From `columns`.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: TenantID(try row.uuid()), slug: try row.text(), name: try row.text(), mailFromName: try row.text(),
            mailFromAddress: try row.text(), createdAt: try row.date(), suspendedAt: try row.dateOrNil(),
            configuration: TenantConfiguration(json: try row.text()))
        appleClientIDs = Set(try row.texts())
        googleClientIDs = Set(try row.texts())
        isDefault = try row.bool()
    }
}
