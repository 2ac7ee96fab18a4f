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

    func forClient(_ tenant: TenantID, _ user: UserID? = nil) -> Transaction<DiaryError> {
        Transaction(pool: pool, opening: [opening(tenant, user)])
    }

    func forClient(_ owner: Owner) -> Transaction<DiaryError> { forClient(owner.tenant, owner.user) }

    func forWorker(_ owner: Owner) -> Transaction<WorkError> { Transaction(pool: pool, opening: [opening(owner.tenant, owner.user)]) }

    /// For callers that handle a constraint.
    func run(_ owner: Owner, _ statements: [Statement]) async throws(DatabaseError) -> [Rows] {
        try await forClient(owner).send(statements)
    }
}

/// A transaction on a member's rows, for requests with a session or an API token (`OwnerTransaction` for the others): one pipeline and one
/// round trip, opened by the check of either (decision D6).
struct MemberTransaction: Sendable {
    let pool: ConnectionPool
    /// The member for whom a call opens the transaction: the caller. Tests of row-level security open it for another member.
    var opensFor: @Sendable (Member) -> Member = { $0 }

    private static let opening = SQL("select begin_member($1, $2, $3)")
    private static let openingByToken = SQL("select begin_token($1, $2, $3, $4)")

    func of(_ member: Member) -> Transaction<DiaryError> {
        let opened = opensFor(member)
        let named: [Parameter] = opened.owner.parameters + [.uuid(opened.session.uuid)]
        guard let hash = opened.tokenHash else { return Transaction(pool: pool, opening: [Statement(Self.opening, named)]) }
        return Transaction(pool: pool, opening: [Statement(Self.openingByToken, named + [.bytes(hash)])])
    }

    /// - Returns: one `Rows` per given statement.
    @discardableResult
    func run(_ member: Member, _ statements: [Statement]) async throws(DiaryError) -> [Rows] {
        try await of(member).run(statements)
    }
}

extension Statement {
    /// Keeps the numbering of a pipeline whose statement at this place is not needed.
    static let nothing = Statement("select where false")

    /// Stops the transaction unless the session has authenticated within the last ten minutes (`reauthentication_required`).
    static func freshProof(of member: Member) -> Statement {
        Statement("select require_fresh_proof($1, $2, $3)", member.owner.parameters + [.uuid(member.session.uuid)])
    }
}
