package import FoundationEssentials

/// A job under lease. `attempt` is the fencing token: every write carries it (decision D2).
package struct LeasedJob: Sendable, Hashable {
    package let id: JobID
    package let owner: Owner
    package let kind: JobKind
    package let subject: UUID
    package let attempt: Int
    /// Tries that failed so far.
    package let errors: Int
    package let crashes: Int
    /// Seconds of work, estimated when the job was made.
    package var cost: Double = JobCost.small

    package init(
        id: JobID, owner: Owner, kind: JobKind, subject: UUID, attempt: Int, errors: Int, crashes: Int, cost: Double = JobCost.small
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.subject = subject
        self.attempt = attempt
        self.errors = errors
        self.crashes = crashes
        self.cost = cost
    }

    /// Above ten seconds of work, as in the index `jobs_due`. Short and long jobs have slots of their own (`QueueSlots`).
    package var isLong: Bool { JobCost.isLong(cost) }
}
