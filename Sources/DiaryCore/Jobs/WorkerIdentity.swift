package import FoundationEssentials

/// A worker process, as it reports itself.
package struct WorkerIdentity: Sendable, Equatable {
    /// Seconds between two reports of a worker.
    package static let reportSeconds = 15.0
    /// A worker counts as alive for so many seconds after its last report: two may be lost.
    package static let aliveSeconds = 45.0

    /// The id of this start of the process: host and process number may come again, and in containers they do.
    package var id: UUID = UUID()
    /// Host, process and start, as in its leases.
    package let name: String
    package let version: String

    package init(id: UUID = UUID(), name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}

/// Which worker processes are alive. In the database, so that it is known without Redis.
package protocol WorkerPresence: Sendable {
    /// - Parameter hears: false when its recordings wait for a speech server.
    func report(_ worker: WorkerIdentity, hears: Bool) async throws(DiaryError)
    /// The worker takes no more jobs.
    func withdraw(_ worker: WorkerIdentity) async throws(DiaryError)
    func alive() async throws(DiaryError) -> AliveWorkers
}

package enum AliveWorkers: Sendable, Equatable {
    case gone
    /// None of them reaches its speech server.
    case deaf
    case hearing
}
