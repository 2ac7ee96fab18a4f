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
