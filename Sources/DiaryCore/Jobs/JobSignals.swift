/// Signals from the process that committed a job to the workers. A lost signal costs latency, never a job (decision D1).
package protocol JobSignals: Sendable {
    /// Returns at once and reports no failure, also when Redis is unavailable.
    func jobCommitted(_ kind: JobKind)
    /// Returns when a signal for one of `kinds` came or `timeout` seconds passed, whichever is first.
    func waitForWork(_ kinds: [JobKind], timeout: Double) async
}
