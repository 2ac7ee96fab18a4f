/// Which worker processes are alive. In the database, so that it is known without Redis.
package protocol WorkerPresence: Sendable {
    func report(_ worker: WorkerIdentity) async throws(DiaryError)
    /// The worker takes no more jobs.
    func withdraw(_ worker: WorkerIdentity) async throws(DiaryError)
    func isAnyAlive() async throws(DiaryError) -> Bool
}
