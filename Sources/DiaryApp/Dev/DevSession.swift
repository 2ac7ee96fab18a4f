import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import FoundationEssentials
import Glibc
import PostgresClient
import ServiceLifecycle

/// Starts and stops servers, API and workers. One service from the first step on, so that a signal at any moment ends everything.
struct DevSession: Service {
    let folder: DevFolder
    let postgres: DevPostgres
    let redis: DevRedis
    let speech: DevSpeech
    let application: Application
    let worker: WorkerSettings
    /// Writes the settings for `diary dev env`.
    let shareSettings: @Sendable () throws -> Void

    func run() async throws {
        do {
            try await start()
            if !Task.isShuttingDownGracefully {
                let url = application.settings.publicURL.description
                let mail = worker.mail
                let services = try await application.apiServices { _ in
                    say("ready on \(url) — mail in \(mail), logs on standard error, Ctrl-C stops")
                    say("for other commands, in another terminal: eval \"$(diary dev env\(folderOption))\"")
                }
                let supervisor = DevSupervisor(
                    postgres: postgres, redis: redis, speech: startsSpeech ? speech : nil, logger: application.logger)
                try await application.run(
                    [supervisor] + services + (try await application.workerServices(worker, onMail: announce)), signals: [])
            }
        } catch {
            await stop()
            throw error
        }
        await stop()
    }

    private var folderOption: String {
        folder.path == DevFolder.absolute(".diary") ? "" : " --folder \(DevEnvironment.quoted(folder.path))"
    }

    /// Announces mails only when they are written to files here, not when a mail server delivers them.
    private var announce: (@Sendable (OutgoingMessage) -> Void)? {
        guard case .outbox = worker.mail else { return nil }
        return { say(AnnouncingMailTransport.line($0)) }
    }

    /// Steps are not interrupted: a half-made cluster or a server without a supervisor would be left. Signals are checked between them.
    private func start() async throws {
        let steps: [@Sendable () async throws -> Void] = [
            { try folder.makeRunFolder() },
            { if startsSpeech { try await startSpeech() } },
            { say("starting Postgres and Redis") },
            { try await postgres.start() },
            { try await redis.start() },
            { say("migrating") },
            { try await postgres.prepare(application.settings.database, application.installedFiles, application.logger) },
            { try await firstTenant() },
            { try shareSettings() },
            { if startsSpeech { try await speech.untilReady() } },
        ]
        for step in steps where !Task.isShuttingDownGracefully { try await step() }
    }

    /// A socket of the environment's is another server's, and scripted engines hear nothing.
    private var startsSpeech: Bool { worker.media.speechSocket == speech.socket && worker.media.speech.usesServer }

    private func startSpeech() async throws {
        guard let missing = speech.missing else {
            say("starting the speech server")
            return try await speech.launch()
        }
        say("no speech server (\(missing) is missing): recordings wait for it. To fetch it: scripts/speech")
    }

    private func stop() async {
        // Unstructured: stopping the servers must run even when this task is cancelled.
        await Task {
            if Task.isShuttingDownGracefully { say("stopping") }
            DevEnvironment(folder: folder.path).remove()
            await speech.stop()
            await redis.stop()
            if postgres.isRunning() { try? await postgres.stop() }
            folder.removeRunFolder()
        }.value
    }

    /// Creates the one app of `diary dev`. While a service has a single app, clients need not name it.
    private func firstTenant() async throws {
        let pool = try ConnectionPool(
            .init(connection: application.settings.database.main(as: .admin), size: 1), logger: application.logger)
        let tenants = PostgresTenantAdministration(pool: pool)
        if try await tenants.all().isEmpty {
            _ = try await tenants.create(
                Tenant(
                    id: TenantID(UUIDv7.make()), slug: "my-day", name: "My Day", mailFromName: "My Day", mailFromAddress: "diary@localhost",
                    createdAt: Date(), suspendedAt: nil), by: "diary dev")
        }
        await pool.close()
    }
}

/// Prints progress; the log goes to standard error.
private func say(_ text: String) {
    print("diary dev: \(text)")
    fflush(nil)
}
