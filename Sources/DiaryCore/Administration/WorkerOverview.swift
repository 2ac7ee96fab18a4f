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
}
