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

/// A transaction on a member's rows, for requests with a session (`OwnerTransaction` for the others): one pipeline and one round trip,
/// opened by the session check (decision D6).
struct MemberTransaction: Sendable {
    let pool: ConnectionPool
    /// The member for whom a call opens the transaction: the caller. Tests of row-level security open it for another member.
    var opensFor: @Sendable (Member) -> Member = { $0 }

    private static let opening = SQL("select begin_member($1, $2, $3)")

    /// The first statement of every transaction.
    func opening(_ member: Member) -> Statement {
        let opened = opensFor(member)
        return Statement(Self.opening, [.uuid(opened.tenant.uuid), .uuid(opened.user.uuid), .uuid(opened.session.uuid)])
    }

    /// - Returns: one `Rows` per given statement.
    func run(_ member: Member, _ statements: [Statement]) async throws(DiaryError) -> [Rows] {
        do { return try await send(member, statements) } catch { throw error.forClient }
    }

    /// Does what `run` does, for callers that handle a constraint.
    func send(_ member: Member, _ statements: [Statement]) async throws(DatabaseError) -> [Rows] {
        Array(try await pool.run([opening(member)] + statements).dropFirst())
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

extension [Rows] {
    /// The first row of statement `index`, if there is one.
    func first(_ index: Int) -> Row? {
        indices.contains(index) ? self[index].first : nil
    }
}

/// Maps a row-decoding error to 500.
func decoding<Value>(_ read: () throws(DatabaseError) -> Value) throws(DiaryError) -> Value {
    do { return try read() } catch { throw error.forClient }
}
