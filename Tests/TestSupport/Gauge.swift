import Synchronization

/// Counts concurrent calls, and their maximum.
package final class Gauge: Sendable {
    private let state = Mutex((inside: 0, peak: 0, total: 0))

    package init() {}

    package func enter() {
        state.withLock {
            $0.inside += 1
            $0.total += 1
            $0.peak = max($0.peak, $0.inside)
        }
    }

    package func leave() { state.withLock { $0.inside -= 1 } }

    package var peak: Int { state.withLock { $0.peak } }
    package var total: Int { state.withLock { $0.total } }
}
