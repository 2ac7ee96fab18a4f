import Synchronization

/// A `BlockingPool` with bounded queues, for work that holds a core and much memory: calls beyond the bound are refused at once.
///
/// Preferred calls have a queue of their own, so ordinary ones can neither fill it nor stand before it. While calls wait in both, three of
/// four that start are preferred; ordinary calls keep the fourth. A preferred call beyond one of its shares is an ordinary one.
package final class BoundedBlockingPool: Sendable {
    package enum Precedence: Sendable {
        case ordinary
        case preferred(within: [Share] = [])
    }

    /// Preferred calls with the same key, running or waiting, are no more than `most`.
    package struct Share: Sendable {
        let key: [UInt8]
        let most: Int

        package init(key: [UInt8], most: Int) {
            self.key = key
            self.most = most
        }
    }

    private struct Call: Sendable {
        /// Shares that it counts in.
        let shares: [Share]
        let work: @Sendable ([Share]) -> Void
    }

    private struct Queues {
        var running = 0
        var ordinary: [Call] = []
        var preferred: [Call] = []
        /// Preferred calls that run or wait, by the keys of their shares.
        var counts: [[UInt8]: Int] = [:]
        /// Preferred calls started since the last ordinary one.
        var preferredInARow = 0

        /// - Returns: nil when the call is an ordinary one.
        func shares(of precedence: Precedence) -> [Share]? {
            guard case .preferred(let shares) = precedence else { return nil }
            return shares.allSatisfy { counts[$0.key, default: 0] < $0.most } ? shares : nil
        }

        mutating func take(_ shares: [Share]) {
            for share in shares { counts[share.key, default: 0] += 1 }
        }

        mutating func release(_ shares: [Share]) {
            for share in shares {
                let left = counts[share.key, default: 0] - 1
                counts[share.key] = left > 0 ? left : nil
            }
        }

        mutating func next() -> Call? {
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
            let isAdmitted = admit(precedence) { [self] shares in
                let value = work()
                // Before the caller resumes, so that its next call finds the place free.
                startNext(after: shares)
                continuation.resume(returning: value)
            }
            if !isAdmitted { continuation.resume(returning: nil) }
        }
    }

    /// Calls that run or wait.
    package var admitted: Int { queues.withLock { $0.running + $0.ordinary.count + $0.preferred.count } }

    /// Starts the work or queues it.
    private func admit(_ precedence: Precedence, _ work: @escaping @Sendable ([Share]) -> Void) -> Bool {
        let (isAdmitted, starting) = queues.withLock { queues -> (Bool, Call?) in
            let shares = queues.shares(of: precedence)
            let call = Call(shares: shares ?? [], work: work)
            if queues.running < threads {
                queues.running += 1
                queues.take(call.shares)
                return (true, call)
            }
            let queue: WritableKeyPath<Queues, [Call]> = shares == nil ? \.ordinary : \.preferred
            guard queues[keyPath: queue].count < waiting else { return (false, nil) }
            queues[keyPath: queue].append(call)
            queues.take(call.shares)
            return (true, nil)
        }
        if let starting { start(starting) }
        return isAdmitted
    }

    /// - Parameter shares: of the call that has ended.
    private func startNext(after shares: [Share]) {
        let call = queues.withLock { queues in
            queues.release(shares)
            let call = queues.next()
            if call == nil { queues.running -= 1 }
            return call
        }
        if let call { start(call) }
    }

    private func start(_ call: Call) { pool.submit { call.work(call.shares) } }
}
