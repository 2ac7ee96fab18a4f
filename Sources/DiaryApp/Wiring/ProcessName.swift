import Glibc
import Logging

/// Which process of the service this is: its host and number, as in leases, log lines and `diary jobs stats`.
enum ProcessName {
    static let host: String = {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static var text: String { "\(host)/\(getpid())" }

    /// Fields of every log line, so that lines of several processes and versions may lie in one journal.
    static var metadata: Logger.Metadata { ["process": "\(text)", "version": "\(Version.text)"] }
}
