import Logging
import Synchronization

/// A log that keeps its lines.
final class RecordedLines: Sendable {
    struct Line: Sendable {
        let message: String
        let metadata: Logger.Metadata
    }

    private struct Handler: LogHandler {
        let lines: RecordedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = Line(message: event.message.description, metadata: metadata.merging(event.metadata ?? [:]) { $1 })
            lines.lines.withLock { $0.append(line) }
        }
    }

    private let lines = Mutex<[Line]>([])

    var all: [Line] { lines.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }
}
