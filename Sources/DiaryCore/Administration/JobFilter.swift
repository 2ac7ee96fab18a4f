package import FoundationEssentials

/// Which jobs to list; nil is any.
package struct JobFilter: Sendable {
    package var job: JobID? = nil
    /// The entry, export or mail.
    package var subject: UUID? = nil
    package var user: UserID? = nil
    package var tenant: TenantID? = nil
    package var states: [String]? = nil
    package var limit: Int

    package init(
        job: JobID? = nil, subject: UUID? = nil, user: UserID? = nil, tenant: TenantID? = nil, states: [String]? = nil, limit: Int
    ) {
        self.job = job
        self.subject = subject
        self.user = user
        self.tenant = tenant
        self.states = states
        self.limit = limit
    }
}
