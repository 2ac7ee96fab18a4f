import ArgumentParser
import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryWorker
import FoundationEssentials
import Logging
import PostgresClient

struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "Tries the engines that transcribe and clean.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Asks each engine of an app with a sample of two seconds, and prints what came back, how long it took and what it cost.",
            discussion: """
                As the workers would: with their settings, as diary_worker, and with DIARY_MASTER_KEYS for the app's secrets. Calls of hosted engines are \
                charged. Ends with 1 when an engine failed.
                """)

        @Argument(help: "The tenant's slug.")
        var slug: String

        @Option(help: "Only this stage: speech or text.")
        var stage: EngineStage?

        @Flag(help: "Print JSON: [\(EngineTrial.form.shape)].")
        var json = false

        func run() async throws {
            let environment = Environment.process
            let logger = Logger(label: "diary-engines") { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = .error
                return handler
            }
            let database = try DatabaseSettings(environment)
            let pool = try ConnectionPool(.init(connection: database.main(as: .worker), size: 1), logger: logger)
            let tenant = try TenantCommand.known(try await PostgresTenantStore(pool: pool).tenant(slug: slug), slug)
            let media = try MediaSettings(environment)
            let factory = try EngineFactory(media, limits: Limits(), logger: logger)
            let engines = TenantEngines(
                store: PostgresEngineStore(pool: pool), service: try await MediaProviders(media, factory: factory).engines,
                builder: factory,
                masters: try environment.read(KeySettings.masters))
            let speech = stage == .text ? [] : try await engines.speech(of: tenant.id)
            let text = stage == .speech ? [] : try await engines.text(of: tenant.id)
            let trials = try await EngineTrial.speech(speech, slug) + EngineTrial.text(text, slug)
            await factory.transfers.close(within: .zero)
            await pool.close()
            if json { EngineTrial.form.show(trials, json: true) } else { for trial in trials { trial.show() } }
            if let note = TenantCommand.Engine.unasked(speech.map(\.settings) + text.map(\.settings), in: tenant) {
                CommandOutput.note(note)
            }
            if !trials.allSatisfy(\.ok) { throw ExitCode.failure }
        }
    }
}
