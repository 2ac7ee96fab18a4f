import Synchronization

/// A monotonic clock that advances only when the test says so.
package final class ManualClock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    package init() {}

    package var now: ContinuousClock.Instant { time.withLock { $0 } }
    package func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}
