/// Which of the jobs that have failed permanently, or of those that wait for a later time; nil is any.
package struct RetryFilter: Sendable, Equatable {
    package var job: JobID? = nil
    package var code: String? = nil
    package var tenant: TenantID? = nil

    package init(job: JobID? = nil, code: String? = nil, tenant: TenantID? = nil) {
        self.job = job
        self.code = code
        self.tenant = tenant
    }
}

/// A job that was looked at.
package struct RetriedJob: Sendable, Equatable {
    package var id: JobID
    package var kind: JobKind
    /// False: there was nothing left to do. Its entry was deleted or retried by its owner, it is a mail, whose words are not kept, or a
    /// worker has taken it meanwhile.
    package var isReady: Bool

    package init(id: JobID, kind: JobKind, isReady: Bool) {
        self.id = id
        self.kind = kind
        self.isReady = isReady
    }
}
