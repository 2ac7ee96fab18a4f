package import DiaryCore
import FoundationEssentials
import Synchronization

/// Tenants, read once in a while: few rows, asked for by every sign-in.
package final class PostgresTenantStore: TenantStore {
    private struct Snapshot {
        var tenants: [Tenant] = []
        var readAt: ContinuousClock.Instant?
    }

    private let pool: ConnectionPool
    private let freshFor: Duration
    private let snapshot = Mutex(Snapshot())

    package init(pool: ConnectionPool, freshFor: Duration = .seconds(5)) {
        self.pool = pool
        self.freshFor = freshFor
    }

    package func tenant(slug: String) async throws(DiaryError) -> Tenant? { try await all().first { $0.slug == slug } }

    package func tenant(id: TenantID) async throws(DiaryError) -> Tenant? { try await all().first { $0.id == id } }

    package func all() async throws(DiaryError) -> [Tenant] {
        let kept = snapshot.withLock { $0 }
        if let readAt = kept.readAt, readAt.duration(to: .now) < freshFor { return kept.tenants }
        do {
            let read = try await Tenant.read(from: pool)
            snapshot.withLock { $0 = Snapshot(tenants: read, readAt: .now) }
            return read
        } catch {
            throw error.forClient
        }
    }
}

/// As `diary_admin`.
package struct PostgresTenantAdministration: TenantAdministration {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func create(_ tenant: Tenant) async throws(DiaryError) -> Bool {
        do {
            let rows = try await pool.run([
                Statement(
                    """
                    insert into tenants (id, slug, name, mail_from_name, mail_from_address) values ($1, $2, $3, $4, $5)
                    on conflict on constraint tenants_slug_key do nothing returning id
                    """,
                    [
                        .uuid(tenant.id.uuid), .text(tenant.slug), .text(tenant.name), .text(tenant.mailFromName),
                        .text(tenant.mailFromAddress),
                    ])
            ])
            return rows.first(0) != nil
        } catch {
            throw error.forClient
        }
    }

    package func all() async throws(DiaryError) -> [Tenant] {
        do { return try await Tenant.read(from: pool) } catch { throw error.forClient }
    }

    package func setClientIDs(apple: Set<String>?, google: Set<String>?, of slug: String) async throws(DiaryError) -> Tenant? {
        do {
            let rows = try await pool.run([
                Statement(
                    """
                    update tenants set apple_client_ids = coalesce($2, apple_client_ids), google_client_ids = coalesce($3, google_client_ids)
                    where slug = $1 returning \(Tenant.columns)
                    """, [.text(slug), .texts(apple?.sorted()), .texts(google?.sorted())])
            ])
            return try rows.first(0).map { row throws(DatabaseError) in try Tenant(row) }
        } catch {
            throw error.forClient
        }
    }
}

extension Tenant {
    fileprivate static func read(from pool: ConnectionPool) async throws(DatabaseError) -> [Tenant] {
        let rows = try await pool.run([
            Statement("select \(columns) from tenants order by slug")
        ])
        return try rows[0].map { row throws(DatabaseError) in try Tenant(row) }
    }

    fileprivate static let columns =
        "id, slug, name, mail_from_name, mail_from_address, created_at, suspended_at, apple_client_ids, google_client_ids"

    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: TenantID(try row.uuid(0)), slug: try row.text(1), name: try row.text(2), mailFromName: try row.text(3),
            mailFromAddress: try row.text(4), createdAt: try row.date(5), suspendedAt: try row.dateOrNil(6))
        appleClientIDs = Set(try row.texts(7))
        googleClientIDs = Set(try row.texts(8))
    }
}
