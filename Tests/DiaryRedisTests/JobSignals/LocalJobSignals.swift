package import DiaryCore

/// Signals inside one process.
package struct LocalJobSignals: JobSignals {
    private let waiters = SignalWaiters()

    package init() {}

    package func jobCommitted(_ kind: JobKind) { waiters.wakeOrRemember(kind) }

    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { await waiters.wait(kinds, timeout: timeout) }
}
