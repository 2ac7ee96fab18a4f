import Glibc

/// A detached thread for one piece of blocking work.
enum DedicatedThread {
    enum Outcome {
        /// Called on the new thread.
        case running
        /// No thread could be made (`errno`); called on the caller's thread.
        case refused(Int32)
    }

    private final class Box: Sendable {
        let work: @Sendable (Outcome) -> Void
        init(_ work: @escaping @Sendable (Outcome) -> Void) { self.work = work }
    }

    /// Calls `work` exactly once.
    static func start(_ work: @escaping @Sendable (Outcome) -> Void) {
        let box = Unmanaged.passRetained(Box(work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work(.running)
                return nil
            }, box.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            box.takeRetainedValue().work(.refused(code))
        }
    }
}
