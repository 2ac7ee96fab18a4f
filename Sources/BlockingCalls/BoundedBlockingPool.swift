import Synchronization

/// A `BlockingPool` with a bounded queue, for work that holds a core and much memory: calls beyond the bound are refused at once.
package final class BoundedBlockingPool: Sendable {
    private let pool: BlockingPool
    private let capacity: Int
    /// Calls that run or wait.
    private let admitted = Mutex(0)

    /// - Parameters:
    ///   - threads: how many calls run at once.
    ///   - waiting: how many more may wait.
    package init(threads: Int, waiting: Int) {
        pool = BlockingPool(threads: threads)
        capacity = max(1, threads) + max(0, waiting)
    }

    /// - Returns: nil when the queue is full; `work` is then not run.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let isAdmitted = admitted.withLock { count in
            guard count < capacity else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { return nil }
        return await pool.run { [self] in
            // Before the caller resumes, so that its next call finds the place free.
            defer { admitted.withLock { $0 -= 1 } }
            return work()
        }
    }
}
