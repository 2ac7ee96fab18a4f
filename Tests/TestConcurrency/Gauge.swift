import Synchronization

/// Counts concurrent calls, and their maximum.
final class Gauge: Sendable {
    private let state = Mutex((inside: 0, peak: 0, total: 0))

    func enter() {
        state.withLock {
            $0.inside += 1
            $0.total += 1
            $0.peak = max($0.peak, $0.inside)
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }

    var peak: Int { state.withLock { $0.peak } }
    var total: Int { state.withLock { $0.total } }
}
