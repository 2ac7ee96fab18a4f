import Dispatch
import Glibc
import Synchronization

/// Dedicated threads for work that takes a core and 19 MiB for tens of milliseconds (D5).
///
/// Further work waits in a bounded queue; `submit` returns false when the queue is full.
final class HashingThreads: Sendable {
    /// Does the work and returns how to hand over its result, which happens once the place in the queue is free again.
    typealias Work = @Sendable () -> @Sendable () -> Void

    /// State that the threads retain. They do not retain the pool, because its `deinit` stops them.
    private final class Queue: Sendable {
        struct State {
            var waiting: [Work] = []
            /// Waiting and running.
            var admitted = 0
        }

        let state = Mutex(State())
        let signal = DispatchSemaphore(value: 0)

        func run() {
            while true {
                signal.wait()
                let work: Work? = state.withLock { state in
                    guard !state.waiting.isEmpty else { return nil }
                    return state.waiting.removeFirst()
                }
                // A signal without work means the end: closing signals once per thread, after all work was taken.
                guard let work else { return }
                let handOver = work()
                state.withLock { $0.admitted -= 1 }
                handOver()
            }
        }
    }

    private let queue = Queue()
    private let threads: Int
    private let capacity: Int

    /// - Parameters:
    ///   - threads: how much runs at once.
    ///   - waiting: how much more may wait.
    init(threads: Int, waiting: Int) {
        var started = 0
        for _ in 0..<max(1, threads) where Self.start(queue) { started += 1 }
        self.threads = started
        // Without any thread no work may be admitted: it would wait for ever.
        capacity = started == 0 ? 0 : started + max(0, waiting)
    }

    deinit {
        for _ in 0..<threads { queue.signal.signal() }
    }

    /// False when the queue is full; the work is then not run.
    func submit(_ work: @escaping Work) -> Bool {
        let taken = queue.state.withLock { state in
            guard state.admitted < capacity else { return false }
            state.admitted += 1
            state.waiting.append(work)
            return true
        }
        if taken { queue.signal.signal() }
        return taken
    }

    private static func start(_ queue: Queue) -> Bool {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(queue)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Queue>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
