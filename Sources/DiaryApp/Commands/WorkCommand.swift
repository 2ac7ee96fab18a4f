import ArgumentParser

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
