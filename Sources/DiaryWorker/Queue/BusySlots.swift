import DiaryCore
import Synchronization

/// The running jobs of a `WorkerPool`, and what ended ones took beyond their estimates.
final class BusySlots: Sendable {
    private struct State {
        var running: Set<LeasedJob> = []
        var charges: [QueueCharge] = []
        /// A slot has become free since the last wait.
        var hasChanged = false
        var waiter: AsyncStream<Void>.Continuation?
    }

    /// Charges kept while claims fail; more would only make the statement larger.
    private static let mostCharges = 1_000

    private let state = Mutex(State())

    func count(isLong: Bool) -> Int { state.withLock { $0.running.count { $0.isLong == isLong } } }

    func take(_ job: LeasedJob) { state.withLock { _ = $0.running.insert(job) } }

    func free(_ job: LeasedJob, took elapsed: Duration) {
        state.withLock { state in
            state.running.remove(job)
            state.charges.append(QueueCharge(job, took: elapsed))
            state.hasChanged = true
            state.waiter?.yield()
        }
    }

    /// The charges of a class since the last call.
    func takeCharges(isLong: Bool) -> [QueueCharge] {
        state.withLock { state in
            let taken = state.charges.filter { $0.isLong == isLong }
            state.charges.removeAll { $0.isLong == isLong }
            return taken
        }
    }

    /// After a claim that failed.
    func putBack(_ charges: [QueueCharge]) {
        state.withLock { $0.charges = Array((charges + $0.charges).suffix(Self.mostCharges)) }
    }

    /// Returns when a slot has become free since the last call, or the task is cancelled.
    func waitForChange() async {
        // A stream for each wait: one whose reader was cancelled has ended for good.
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.waiter = changed
            if state.hasChanged { changed.yield() }
        }
        for await _ in changes { break }
        state.withLock { $0.hasChanged = false }
    }
}
