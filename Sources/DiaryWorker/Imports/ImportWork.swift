import BlockingCalls
import Synchronization

/// Calls of imports that block or take long, apart from `BlockingWork`: a list is read to its end in one call, and the files of other jobs must
/// not wait for that.
enum ImportWork {
    /// Raised when the task of a call is cancelled.
    final class Stop: Sendable {
        private let raised = Mutex(false)

        var isRaised: Bool { raised.withLock { $0 } }

        func raise() { raised.withLock { $0 = true } }
    }

    private static let pool = BlockingPool(threads: 2)

    /// Makes the threads. Called at start, because a refused thread ends the process.
    static func prepare() { _ = pool }

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run(work)
    }

    /// For calls that may take minutes: `work` looks at its argument now and then.
    static func run<Value: Sendable>(stoppable work: @escaping @Sendable (Stop) throws -> Value) async throws -> Value {
        let stop = Stop()
        return try await withTaskCancellationHandler {
            try await pool.run { try work(stop) }
        } onCancel: {
            stop.raise()
        }
    }
}
