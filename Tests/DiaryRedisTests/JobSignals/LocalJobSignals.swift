import DiaryCore

@testable import DiaryRedis

/// Signals inside one process.
struct LocalJobSignals: JobSignals {
    private let waiters = SignalWaiters()

    func jobCommitted(_ kind: JobKind) { waiters.wakeOrRemember(kind) }

    func waitForWork(_ kinds: [JobKind], timeout: Double) async { await waiters.wait(for: kinds, timeout: timeout) }
}
