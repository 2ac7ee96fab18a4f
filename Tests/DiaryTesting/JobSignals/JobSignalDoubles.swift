package import DiaryCore
import Synchronization

/// Forgets signals; waiting ends at once.
package struct NoJobSignals: JobSignals {
    package init() {}
    package func jobCommitted(_ kind: JobKind) {}
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async {}
}

/// Signals never come: the loop polls.
package struct PollingOnly: JobSignals {
    package init() {}
    package func jobCommitted(_ kind: JobKind) {}
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { try? await Task.sleep(for: .seconds(timeout)) }
}

/// Remembers the signals given.
package final class SignalLog: JobSignals {
    private let signals = Mutex<[JobKind]>([])

    package init() {}

    package var kinds: [JobKind] { signals.withLock { $0 } }
    package func jobCommitted(_ kind: JobKind) { signals.withLock { $0.append(kind) } }
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { try? await Task.sleep(for: .seconds(timeout)) }
}
