import NIOCore
import Synchronization

/// Runs the tasks of a connection on the event loop that reads and writes it, so that a request changes threads only where it waits for
/// another one (the database's). On the shared pool every step between socket and handler woke a thread (docs/performance.md).
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        // `UnownedJob` is unsafe by its type only: the job is run once, as an executor must.
        let job = UnownedJob(job)
        loop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// One for each loop, kept until the process ends: tasks hold their executor unowned.
    static func of(_ loop: any EventLoop) -> LoopExecutor {
        known.withLock { known in
            if let executor = known[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop)
            known[ObjectIdentifier(loop)] = executor
            return executor
        }
    }

    private static let known = Mutex<[ObjectIdentifier: LoopExecutor]>([:])
}
