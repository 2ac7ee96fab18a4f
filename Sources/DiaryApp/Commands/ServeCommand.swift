import ArgumentParser

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
