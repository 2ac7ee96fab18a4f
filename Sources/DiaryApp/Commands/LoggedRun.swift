import ArgumentParser
import JSONLogging
import Logging

/// Runs a service. What stops it, a setting at the start included, is a line of its log in the form of all others, because journals are
/// searched by program.
enum LoggedRun {
    /// - Parameter write: takes the line.
    static func run(
        _ label: String, write: @escaping @Sendable ([UInt8]) -> Void = JSONLogHandler.standardError,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch {
            let code = DiaryCommand.status(of: error)
            guard !code.isSuccess else { throw error }
            // Not by `LoggingSystem`, which is set up only once the settings have been read.
            let logger = Logger(label: label) { label in
                var handler = JSONLogHandler(label: label, write: write)
                handler.metadata = ProcessName.metadata
                return handler
            }
            logger.critical("ended by an error", metadata: ["error": "\(DiaryCommand.message(for: error))"])
            throw code
        }
    }
}
