import ArgumentParser
import ServiceLifecycle

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the API.", discussion: "Ends after the requests in flight on SIGTERM or SIGINT.")

    func run() async throws {
        let application = try Application(Environment.process, label: "diary-api")
        try application.settings.listen.probe(remedy: "give another with \(Settings.listenAddress.name)")
        try await application.run(try await application.apiServices())
    }
}

struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Runs the workers and the sweeper.",
        discussion: "On SIGTERM running jobs get time to finish; those that do not finish return to the queue without counting a try.")

    func run() async throws {
        let application = try Application(Environment.process, label: "diary-worker")
        try await application.run(try await application.workerServices())
    }
}
