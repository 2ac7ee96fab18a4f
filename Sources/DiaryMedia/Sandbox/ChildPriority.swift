import FoundationEssentials
import Glibc

/// How an external program shares the processors with others. After a while it gives way, so that long work does not hold up short work:
/// a check of a costly recording takes many times as long as one of an ordinary recording, and both begin alike (decision 0029).
struct ChildPriority: Sendable {
    /// The nice value (nice(2)) of the beginning. This and `last` are added to the service's own.
    static let first = 5

    /// Seconds from the start.
    var grace: Double = 2
    /// The nice value after `grace`.
    var last = 15

    /// For recognition, which takes about as long as the recording.
    static let recognition = ChildPriority(grace: 20)
    /// For programs whose time an operator limits by the clock: at 15 one would get a tenth of a core beside short work.
    static let command = ChildPriority(grace: 20, last: 10)

    /// Waits for the end of the grace, then lowers the priority of all processes of the session.
    /// - Parameter leader: the process that began the session. It has not been waited for.
    func apply(toSession leader: pid_t) async {
        do {
            try await Task.sleep(for: .seconds(grace))
            let group = __priority_which_t(PRIO_PGRP.rawValue)
            let value = Self.value(last)
            if getpriority(group, id_t(leader)) < value { _ = setpriority(group, id_t(leader), value) }
            // Where the kernel groups processes by session (sched(7), autogroup), nice values count within a session only, and the session has one
            // of its own. An unprivileged change is refused (EAGAIN) within 100 ms of another one on this machine.
            let path = "/proc/\(leader)/autogroup"
            for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
                if Self.write("\(last)", to: path) != EAGAIN { return }
                try await Task.sleep(for: .milliseconds(.random(in: 100..<200)))
            }
        } catch {
            // The program ended first.
        }
    }

    /// The nice value that is so much above the service's own, at most the lowest priority there is.
    static func value(_ niceness: Int) -> Int32 {
        min(19, getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) + Int32(niceness))
    }

    /// - Returns: an error number, or 0.
    private static func write(_ text: String, to path: String) -> Int32 {
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return unsafe Glibc.write(file, bytes, bytes.count) == bytes.count ? 0 : errno
    }
}
