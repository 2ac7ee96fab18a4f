package import DiaryCore
import Synchronization

/// Remembers the signals given.
package final class SignalLog: JobSignals {
    private let signals = Mutex<[JobKind]>([])

    package init() {}

    package var kinds: [JobKind] { signals.withLock { $0 } }
    package func jobCommitted(_ kind: JobKind) { signals.withLock { $0.append(kind) } }
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { try? await Task.sleep(for: .seconds(timeout)) }
}
