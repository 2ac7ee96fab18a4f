import CLibcurl
import Glibc

/// A detached thread for a C library that blocks.
enum LoopThread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// - Parameter name: the system shows at most 15 bytes.
    /// - Returns: false when the system refuses another thread.
    static func start(_ name: String, _ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 1 << 20)
        let body = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: run))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                diary_curl_name_thread(body.name)
                diary_curl_block_signals()
                body.run()
                return nil
            }, body.toOpaque())
        if status != 0 { body.release() }
        return status == 0
    }
}
