import Synchronization

/// Tells an answer that comes too slowly. Before its head nothing is measured: the server may still be processing.
final class AnswerProgress: Sendable {
    private let state = Mutex<(headAt: ContinuousClock.Instant, bytes: Int)?>(nil)

    func headCame(at now: ContinuousClock.Instant = .now) { state.withLock { $0 = (now, 0) } }
    func received(_ bytes: Int) { state.withLock { $0?.bytes += bytes } }

    /// After `grace` from its head on, an answer has had `rate` bytes in each second since.
    func isTooSlow(at now: ContinuousClock.Instant, grace: Duration, rate: Int) -> Bool {
        guard let (headAt, bytes) = state.withLock({ $0 }) else { return false }
        let late = headAt.duration(to: now) - grace
        return late > .zero && Double(bytes) < Double(rate) * (late / .seconds(1))
    }
}
