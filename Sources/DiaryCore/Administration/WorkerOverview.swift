package import FoundationEssentials

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
