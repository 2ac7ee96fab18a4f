package import FoundationEssentials

/// The jobs of one kind in one state.
package struct JobCount: Sendable, Equatable {
    package var kind: JobKind
    package var state: String
    package var jobs: Int
    /// Jobs that could run now.
    package var due: Int
    /// Since when the oldest of them waits.
    package var oldestDue: Date?

    package init(kind: JobKind, state: String, jobs: Int, due: Int, oldestDue: Date?) {
        self.kind = kind
        self.state = state
        self.jobs = jobs
        self.due = due
        self.oldestDue = oldestDue
    }
}

/// A queue of which workers take no new jobs.
package struct PausedWork: Sendable, Equatable {
    package var queue: QueueName
    /// The app's; nil of all.
    package var slug: String?
    package var at: Date
    package var `operator`: String

    package init(queue: QueueName, slug: String?, at: Date, operator: String) {
        self.queue = queue
        self.slug = slug
        self.at = at
        self.operator = `operator`
    }
}

/// A worker process as it last reported itself.
package struct WorkerOverview: Sendable, Equatable {
    /// Host and process.
    package var name: String
    package var version: String
    package var startedAt: Date
    package var seenAt: Date
    /// Whether it has reported recently, by the database's clock.
    package var isAlive: Bool

    package init(name: String, version: String, startedAt: Date, seenAt: Date, isAlive: Bool) {
        self.name = name
        self.version = version
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isAlive = isAlive
    }
}
