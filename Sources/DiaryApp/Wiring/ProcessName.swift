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
