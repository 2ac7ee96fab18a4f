import DiaryCore
import FoundationEssentials
import Glibc
import Logging

/// Where log lines go and in which form: plain for a reader when standard error is a terminal, JSON for journals and files.
enum LogOutput {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    static func handler(label: String, level: Logger.Level) -> any LogHandler {
        if isTerminal { return PlainLogHandler(logLevel: level, write: JSONLogHandler.standardError) }
        var handler = JSONLogHandler(label: label)
        handler.logLevel = level
        handler.metadata = ProcessName.metadata
        return handler
    }
}

/// Log lines for a reader at a terminal: local time, level, message, and the metadata as `name=value`. Without process and version, which
/// are the same on every line there.
struct PlainLogHandler: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    let write: @Sendable ([UInt8]) -> Void
    var now: @Sendable () -> time_t = { time(nil) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let given = event.metadata { fields.merge(given) { $1 } }
        let level = event.level.rawValue
        let words = fields.sorted { $0.key < $1.key }.map { "\(Self.shown($0.key))=\(Self.text($0.value))" }
        let padding = String(repeating: " ", count: max(0, Self.levelWidth - level.utf8.count))
        let head = "\(Self.clock(now()))  \(level)\(padding)  \(Self.escaped(event.message.description))"
        write(Array(([head] + words).joined(separator: "  ").utf8) + [0x0A])
    }

    private static let levelWidth = "critical".utf8.count

    /// `20:15:42`, in the zone of this process.
    private static func clock(_ seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func text(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .string(let text): shown(text)
        case .stringConvertible(let value): shown(value.description)
        case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
        case .dictionary(let fields):
            "{\(fields.sorted { $0.key < $1.key }.map { "\(shown($0.key))=\(text($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// In quotes when it would not be seen as one value.
    private static func shown(_ text: String) -> String {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        return isWord ? escaped(text) : "\"\(escaped(text.replacing("\"", with: "\\\"")))\""
    }

    /// A terminal acts on control characters.
    private static func escaped(_ text: String) -> String {
        if OneLineText.accepts(text) { return text }
        return text.unicodeScalars.map { OneLineText.accepts(String($0)) ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    }
}
