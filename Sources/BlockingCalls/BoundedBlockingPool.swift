import Synchronization

/// A `BlockingPool` with bounded queues, for work that holds a core and much memory: calls beyond the bound are refused at once.
///
/// Preferred calls have a queue of their own, so ordinary ones can neither fill it nor stand before it. While calls wait in both, three of
/// four that start are preferred; ordinary calls keep the fourth.
package final class BoundedBlockingPool: Sendable {
    package enum Precedence: Sendable { case ordinary, preferred }

    private typealias Work = @Sendable () -> Void

    private struct Queues {
        var running = 0
        var ordinary: [Work] = []
        var preferred: [Work] = []
        /// Preferred calls started since the last ordinary one.
        var preferredInARow = 0

        mutating func next() -> Work? {
            let isOrdinarysTurn = preferred.isEmpty || preferredInARow >= BoundedBlockingPool.share
            if isOrdinarysTurn, !ordinary.isEmpty {
                preferredInARow = 0
                return ordinary.removeFirst()
            }
            guard !preferred.isEmpty else { return nil }
            preferredInARow += 1
            return preferred.removeFirst()
        }
    }

    /// Preferred calls that start for one ordinary call.
    private static let share = 3

    private let pool: BlockingPool
    private let threads: Int
    private let waiting: Int
    private let queues = Mutex(Queues())

    /// - Parameters:
    ///   - threads: how many calls run at once.
    ///   - waiting: how many more may wait, of each precedence.
    package init(threads: Int, waiting: Int) {
        self.threads = max(1, threads)
        self.waiting = max(0, waiting)
        pool = BlockingPool(threads: self.threads)
    }

    /// - Returns: nil when the queue is full; `work` is then not run.
    package func run<Value: Sendable>(_ precedence: Precedence = .ordinary, _ work: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let isAdmitted = admit(precedence) { [self] in
                let value = work()
                // Before the caller resumes, so that its next call finds the place free.
                startNext()
                continuation.resume(returning: value)
            }
            if !isAdmitted { continuation.resume(returning: nil) }
        }
    }

    /// Calls that run or wait.
    package var admitted: Int { queues.withLock { $0.running + $0.ordinary.count + $0.preferred.count } }

    /// Starts the work or queues it.
    private func admit(_ precedence: Precedence, _ work: @escaping Work) -> Bool {
        let (isAdmitted, starts) = queues.withLock { queues in
            if queues.running < threads {
                queues.running += 1
                return (true, true)
            }
            let queue: WritableKeyPath<Queues, [Work]> = precedence == .preferred ? \.preferred : \.ordinary
            guard queues[keyPath: queue].count < waiting else { return (false, false) }
            queues[keyPath: queue].append(work)
            return (true, false)
        }
        if starts { pool.submit(work) }
        return isAdmitted
    }

    private func startNext() {
        let work = queues.withLock { queues in
            let work = queues.next()
            if work == nil { queues.running -= 1 }
            return work
        }
        if let work { pool.submit(work) }
    }
}
