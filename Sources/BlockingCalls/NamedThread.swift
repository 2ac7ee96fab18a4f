import CThreads

/// Detached threads for C libraries whose calls block for as long as a connection or an archive lasts.
package enum NamedThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// - Parameters:
    ///   - name: at most 15 bytes are shown by the system.
    ///   - stackSize: in bytes.
    /// - Returns: false when the system refuses another thread (EAGAIN); `run` is then not called.
    package static func start(_ name: String, stackSize: Int = 1 << 20, _ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        let status = start_detached_thread(
            stackSize,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                name_current_thread(body.name)
                block_signals_of_current_thread()
                body.run()
                return nil
            }, body.toOpaque())
        if status != 0 { body.release() }
        return status == 0
    }
}
