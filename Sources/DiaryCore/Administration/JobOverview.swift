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

/// How far the work on an entry is, without anything that its owner wrote or said.
package struct EntryProgress: Sendable, Equatable {
    package var owner: Owner
    /// The app's.
    package var slug: String
    package var kind: EntryKind
    package var status: EntryStatus
    package var stage: String?
    package var attempt: Int
    package var code: String?
    package var nextAttemptAt: Date?
    package var createdAt: Date
    package var uploadedAt: Date?
    package var deletedAt: Date?

    package init(
        owner: Owner, slug: String, kind: EntryKind, status: EntryStatus, stage: String?, attempt: Int, code: String?, nextAttemptAt: Date?,
        createdAt: Date, uploadedAt: Date?, deletedAt: Date?
    ) {
        self.owner = owner
        self.slug = slug
        self.kind = kind
        self.status = status
        self.stage = stage
        self.attempt = attempt
        self.code = code
        self.nextAttemptAt = nextAttemptAt
        self.createdAt = createdAt
        self.uploadedAt = uploadedAt
        self.deletedAt = deletedAt
    }
}
