import DiaryCrypto
import Glibc
import Logging
import WireFormats

/// The name of this process in log lines and leases: its host and process id.
enum ProcessName {
    static let host: String = {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static var text: String { "\(host)/\(getpid())" }

    /// The name in leases and `diary jobs stats`. Eight random digits tell this start from earlier ones: in a container a restarted worker
    /// has the same host and process id, and would take the dead one's leases for its own.
    static let worker = "\(text)/\(Hex.encode(SecureRandom.bytes(4)))"

    /// Fields of every log line, so that lines of several processes and versions may lie in one journal.
    static var metadata: Logger.Metadata { ["process": "\(text)", "version": "\(Version.text)"] }
}

/// How many files and sockets this process may have open.
enum DescriptorLimit {
    /// Raises the limit as far as the system allows.
    /// - Returns: what it is now.
    static func raise() -> Int {
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(descriptors, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
