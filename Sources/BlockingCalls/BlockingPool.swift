import NIOPosix

/// A fixed number of threads for calls that block, such as file calls: they must not run on the cooperative pool (decision D5).
///
/// Calls run in the order in which they were made. The queue is unbounded; see `BoundedBlockingPool` for a bounded one.
package final class BlockingPool: Sendable {
    private let pool: NIOThreadPool

    /// Starts the threads. Ends the process when the system refuses one, so make pools at start-up.
    package init(threads: Int) {
        pool = NIOThreadPool(numberOfThreads: max(1, threads))
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// Runs `work` on one of the threads. Work that has been submitted runs to its end, also when the task is cancelled.
    @inlinable
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            submit {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// The item's state is ignored: a pool that shuts down runs what is queued, because each caller waits for an answer.
    @usableFromInline
    func submit(_ job: @escaping @Sendable () -> Void) {
        pool.submit { _ in job() }
    }
}
