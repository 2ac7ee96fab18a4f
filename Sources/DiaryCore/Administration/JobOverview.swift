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
}
