import DiaryCore
import PostgresClient

/// As `MemberTransaction`, without a session: for sign-in (tenant only), holders of a signed link, and workers. Row-level security
/// compares rows with the owner set here.
struct OwnerTransaction: Sendable {
    let pool: ConnectionPool
    /// The same as in `MemberTransaction`.
    var opensFor: @Sendable (TenantID, UserID?) -> (TenantID, UserID?) = { ($0, $1) }

    private static let opening = SQL("select set_owner($1, $2)")

    /// The first statement of every transaction.
    func opening(_ tenant: TenantID, _ user: UserID?) -> Statement {
        let (tenant, user) = opensFor(tenant, user)
        return Statement(Self.opening, [.uuid(tenant.uuid), .uuid(user?.uuid)])
    }

    func run(_ tenant: TenantID, _ user: UserID?, _ statements: [Statement]) async throws(DatabaseError) -> [Rows] {
        Array(try await pool.run([opening(tenant, user)] + statements).dropFirst())
    }

    func run(_ owner: Owner, _ statements: [Statement]) async throws(DatabaseError) -> [Rows] {
        try await run(owner.tenant, owner.user, statements)
    }
}
