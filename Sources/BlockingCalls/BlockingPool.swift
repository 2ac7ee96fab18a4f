package import DiaryCore
import Glibc

/// A few threads of their own for file calls, which may wait for the disk and so must not run on the cooperative pool (D5).
package final class BlockingPool: Sendable {
    private let queue: BlockingQueue

    /// - Throws: `unavailable` when not even one thread can be started.
    package init(threads: Int) throws(ObjectStoreError) {
        queue = BlockingQueue()
        var started = 0
        for _ in 0..<max(1, threads) {
            let retained = Unmanaged.passRetained(queue)
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<BlockingQueue>.fromOpaque(argument).takeRetainedValue().work()
                    return nil
                }, retained.toOpaque())
            if code == 0 {
                pthread_detach(thread)
                started += 1
            } else {
                retained.release()
            }
        }
        guard started > 0 else { throw .unavailable(full: false) }
    }

    /// What is queued still runs, then the threads end.
    deinit { queue.close() }

    /// Runs `work` on one of the threads; first come, first served.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        let result: Result<Value, ObjectStoreError> = await withCheckedContinuation { continuation in
            queue.add {
                do throws(ObjectStoreError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
