import DiaryCore
import Synchronization

/// The jobs of a `WorkerPool` that run, and what ended ones took beyond their estimates.
final class BusySlots: Sendable {
    private struct State {
        var running = 0
        var long = 0
        var charges: [QueueCharge] = []
        /// A slot has become free since the last wait.
        var hasChanged = false
        var waiter: AsyncStream<Void>.Continuation?
        /// The waiter is woken when no more than so many run.
        var threshold = Int.max
    }

    /// Charges kept while claims fail; more would only make the statement larger.
    private static let mostCharges = 1_000

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.running } }
    var long: Int { state.withLock { $0.long } }

    func take(_ job: LeasedJob) {
        state.withLock { state in
            state.running += 1
            if job.isLong { state.long += 1 }
        }
    }

    func free(_ job: LeasedJob, took elapsed: Duration) {
        state.withLock { state in
            state.running -= 1
            if job.isLong { state.long -= 1 }
            state.charges.append(QueueCharge(job, took: elapsed))
            state.hasChanged = true
            if state.running <= state.threshold { state.waiter?.yield() }
        }
    }

    /// The charges since the last call.
    func takeCharges() -> [QueueCharge] {
        state.withLock { state in
            defer { state.charges = [] }
            return state.charges
        }
    }

    /// After a claim that failed.
    func putBack(_ charges: [QueueCharge]) {
        state.withLock { $0.charges = Array((charges + $0.charges).suffix(Self.mostCharges)) }
    }

    /// Returns when a slot has become free since the last call, or the task is cancelled.
    func waitForChange() async {
        await wait(threshold: .max) { $0.hasChanged }
    }

    /// Returns when no more than `most` jobs run, or the task is cancelled.
    func waitUntilRunning(atMost most: Int) async {
        await wait(threshold: most) { $0.running <= most }
    }

    private func wait(threshold: Int, isOver: (State) -> Bool) async {
        // A stream for each wait: one whose reader was cancelled has ended for good.
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.waiter = changed
            state.threshold = threshold
            if isOver(state) { changed.yield() }
        }
        for await _ in changes { break }
        state.withLock { $0.hasChanged = false }
    }
}
