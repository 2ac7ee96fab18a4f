/// "There is work": signals from whoever committed a job to whoever runs jobs. Losing one costs latency, never work (D1).
package protocol JobSignals: Sendable {
    /// Fire and forget; returns at once, also when Redis is away.
    func jobCommitted(_ kind: JobKind)
    /// Returns when a signal for one of `kinds` came or `timeout` seconds passed, whichever is first.
    func waitForWork(_ kinds: [JobKind], timeout: Double) async
}
