package import FoundationEssentials

/// A job as an administrator sees it.
package struct JobOverview: Sendable, Equatable {
    package var id: JobID
    package var owner: Owner
    /// The app's.
    package var slug: String
    package var kind: JobKind
    package var subject: UUID
    /// `ready`, `leased`, `done` or `dead`.
    package var state: String
    package var attempts: Int
    /// Tries that failed, and workers that died.
    package var errors: Int
    package var crashes: Int
    /// The code of the last failed try.
    package var code: String?
    package var runAt: Date
    package var leaseUntil: Date?
    package var leasedBy: String?
    package var createdAt: Date
    package var finishedAt: Date?

    package init(
        id: JobID, owner: Owner, slug: String, kind: JobKind, subject: UUID, state: String, attempts: Int, errors: Int, crashes: Int,
        code: String?, runAt: Date, leaseUntil: Date?, leasedBy: String?, createdAt: Date, finishedAt: Date?
    ) {
        self.id = id
        self.owner = owner
        self.slug = slug
        self.kind = kind
        self.subject = subject
        self.state = state
        self.attempts = attempts
        self.errors = errors
        self.crashes = crashes
        self.code = code
        self.runAt = runAt
        self.leaseUntil = leaseUntil
        self.leasedBy = leasedBy
        self.createdAt = createdAt
        self.finishedAt = finishedAt
    }
}
