import ArgumentParser
import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the API.", discussion: "Ends after the requests in flight on SIGTERM or SIGINT.")

    func run() async throws {
        try await LoggedRun.run("diary-api") {
            let application = try Application(Environment.process, for: .api, label: "diary-api")
            try application.settings.listen.probe(names: .setting)
            try await application.run(try await application.apiServices())
        }
    }
}

struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Runs the workers and the sweeper.",
        discussion: "On SIGTERM running jobs get time to finish; those that do not finish return to the queue without counting a try.")

    func run() async throws {
        try await LoggedRun.run("diary-worker") {
            let application = try Application(Environment.process, for: .worker, label: "diary-worker")
            try await application.run(try await application.workerServices(try WorkerSettings(Environment.process)))
        }
    }
}

/// Runs a service and logs the error that ends it, also one about settings at the start, as a line in the form of all others, because
/// programs search journals. At a terminal the error is printed like that of any command.
enum LoggedRun {
    /// - Parameter write: takes the line.
    static func run(
        _ label: String, isTerminal: Bool = LogOutput.isTerminal,
        write: @escaping @Sendable ([UInt8]) -> Void = JSONLogHandler.standardError,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch  where !isTerminal {
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
