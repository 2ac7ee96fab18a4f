/// "There is work": signals from the process that committed a job to the workers. A lost signal costs latency, never work (decision D1).
package protocol JobSignals: Sendable {
    /// Fire and forget; returns at once, also when Redis is away.
    func jobCommitted(_ kind: JobKind)
    /// Returns when a signal for one of `kinds` came or `timeout` seconds passed, whichever is first.
    func waitForWork(_ kinds: [JobKind], timeout: Double) async
}
