import Synchronization

/// How many jobs of a `WorkerPool` run.
final class BusySlots: Sendable {
    private let running = Mutex(0)
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    init() { (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var count: Int { running.withLock { $0 } }

    func take() { running.withLock { $0 += 1 } }

    func free() {
        running.withLock { $0 -= 1 }
        changed.yield()
    }

    /// Returns when a slot has become free since the last call, or the task is cancelled.
    func waitForChange() async {
        for await _ in changes { return }
    }
}
