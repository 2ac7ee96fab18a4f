import Glibc
import JSONLogging
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
