#if DIARY_FAILPOINTS
    import Glibc
    import Synchronization

    /// Reads `DIARY_FAIL` once and counts hits. `DIARY_FAIL_ONCE=<file>`: the file is made before acting and its presence disarms the
    /// plan, so that a restarted process continues.
    final class FailpointPlan: Sendable {
        static let shared = FailpointPlan(unsafe getenv("DIARY_FAIL").map { unsafe String(cString: $0) })

        private let point: Failpoint?
        private let nth: Int
        private let action: String
        private let hits = Mutex(0)

        init(_ plan: String?) {
            let parts = (plan ?? "").split(separator: ":").map(String.init)
            point = parts.first.flatMap(Failpoint.init(rawValue:))
            if let name = parts.first, point == nil {
                let line = "DIARY_FAIL: unknown point \(name)\n"
                _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
            }
            nth = parts.dropFirst().compactMap { Int($0) }.first ?? 1
            action = parts.dropFirst().first { Int($0) == nil } ?? "kill"
        }

        func reach(_ reached: Failpoint) throws(FailpointError) {
            guard reached == point else { return }
            let count = hits.withLock { count in
                count += 1
                return count
            }
            guard count == nth, disarm() else { return }
            switch action {
            case "stop":
                kill(getpid(), SIGSTOP)
                // The signal stops the threads a moment after it is sent; this thread must not continue meanwhile.
                usleep(200_000)
            case "error": throw FailpointError()
            case "delay": sleep(1)
            default: kill(getpid(), SIGKILL)
            }
        }

        /// True when the plan has not fired in an earlier process.
        private func disarm() -> Bool {
            guard let path = unsafe getenv("DIARY_FAIL_ONCE").map({ unsafe String(cString: $0) }) else { return true }
            let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
            guard descriptor >= 0 else { return false }
            close(descriptor)
            return true
        }
    }
#endif
