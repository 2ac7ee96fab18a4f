import FoundationEssentials
import Glibc
package import Logging
import WireFormats

/// One JSON object per line: `ts`, `level`, `message`, `logger`, and the metadata's members beside them. A value given as
/// `.stringConvertible` keeps its JSON type (`LoggedScalar`).
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes one line with its end.
    package init(label: String, write: @escaping @Sendable ([UInt8]) -> Void = JSONLogHandler.standardError) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let given = event.metadata { fields.merge(given) { $1 } }
        let line = JSONWriter.object(capacity: 256) { w in
            w.member("ts", Date())
            w.member("level", event.level.rawValue)
            w.member("message", event.message.description)
            w.member("logger", label)
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) where !Self.taken.contains(key) {
                Self.member(JSONName(key), value, &w)
            }
        }
        write(line + [0x0A])
    }

    private static let taken: Set<String> = ["ts", "level", "message", "logger"]

    private static func member(_ name: JSONName, _ value: Logger.Metadata.Value, _ w: inout JSONWriter) {
        switch value {
        case .string(let text): w.member(name, text)
        case .stringConvertible(let value): w.member(name, LoggedScalar(value: value))
        case .array(let values): w.array(name, values) { w, value in element(value, &w) }
        case .dictionary(let fields): w.member(name) { w in members(fields, &w) }
        }
    }

    private static func element(_ value: Logger.Metadata.Value, _ w: inout JSONWriter) {
        switch value {
        case .string(let text): w.element(text)
        case .stringConvertible(let value): w.element(LoggedScalar(value: value))
        case .array(let values): w.array(values) { w, value in element(value, &w) }
        case .dictionary(let fields): w.object { w in members(fields, &w) }
        }
    }

    private static func members(_ fields: Logger.Metadata, _ w: inout JSONWriter) {
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { member(JSONName(key), value, &w) }
    }

    /// A line in one `write`, so that lines of several threads do not mix (POSIX: up to PIPE_BUF).
    package static let standardError: @Sendable ([UInt8]) -> Void = { line in
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}

/// A metadata value that is no string. Numbers and truth values keep their JSON type, so that `jq 'select(.status >= 500)'` compares
/// numbers; everything else is written as its text.
struct LoggedScalar: JSONWritable {
    let value: any CustomStringConvertible & Sendable

    func write(to writer: inout JSONWriter) {
        switch value {
        case let number as any BinaryInteger:
            guard let whole = Int64(exactly: number) else { return value.description.write(to: &writer) }
            whole.write(to: &writer)
        case let number as any BinaryFloatingPoint: Double(number).write(to: &writer)
        case let truth as Bool: truth.write(to: &writer)
        default: value.description.write(to: &writer)
        }
    }
}
