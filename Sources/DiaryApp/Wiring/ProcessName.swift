import DiaryCrypto
import Glibc
import Logging
import WireFormats

/// Which process of the service this is: its host and number, as in log lines.
enum ProcessName {
    static let host: String = {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    static var text: String { "\(host)/\(getpid())" }

    /// As in leases and `diary jobs stats`, with eight digits of this start: in a container a restarted worker has the host and the number
    /// of the one that died, whose leases would count as its own.
    static let worker = "\(text)/\(Hex.encode(SecureRandom.bytes(4)))"

    /// Fields of every log line, so that lines of several processes and versions may lie in one journal.
    static var metadata: Logger.Metadata { ["process": "\(text)", "version": "\(Version.text)"] }
}
