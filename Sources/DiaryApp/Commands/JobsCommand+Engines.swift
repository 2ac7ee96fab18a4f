import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryRedis

extension JobsCommand.Resume {
    /// Codes of jobs that wait for an engine: it was not asked, is not available, or refused the service.
    private static let engineCodes: [ProcessingCode] = [
        .enginePaused, .engineBusy, .engineRefused, .speechUnavailable, .speechTimeout, .cleanupUnavailable,
    ]

    private static let engineForm = ReportForm<(tenant: String?, engine: EngineKey)>(
        .member("tenant", orNull: true) { $0.tenant },
        .member("stage") { $0.engine.stage.rawValue },
        .member("name") { $0.engine.name })

    /// The jobs run now.
    static let enginesForm = ReportForm<(engines: [(tenant: String?, engine: EngineKey)], jobs: Int)>(
        .list("engines", engineForm) { $0.engines },
        .member("jobs") { $0.jobs })

    func resumeEngines() async throws {
        let client = RedisClient(endpoint: try Environment.process.read(Settings.redis), logger: AdminDatabase.logger)
        defer { client.close() }
        let who = try admin.who()
        let only = if let tenant { try await TenantCommand.tenant(tenant).id } else { TenantID?.none }
        let tenants = try await TenantCommand.administration().all()
        // Engines first: a job that ran before would wait again.
        let engines = try await RedisBreakers.forgetAll(on: client, of: only).map { breaker in
            (tenant: breaker.engine.app.map { app in tenants.first { $0.id == app }?.slug ?? app.description }, engine: breaker.engine)
        }
        let administration = try JobsCommand.administration()
        var kinds: [JobKind] = []
        for code in Self.engineCodes {
            let filter = RetryFilter(code: code.rawValue, tenant: only)
            kinds += try await JobsCommand.hasten(filter, administration, by: who).filter(\.isReady).map(\.kind)
        }
        await Self.wake(kinds, on: client)
        if admin.json { return Self.enginesForm.show(json: (engines, kinds.count)) }
        for (tenant, engine) in engines {
            print("engine \(engine.name) (\(engine.stage.rawValue)\(tenant.map { ", of \($0)" } ?? "")) is asked again")
        }
        if engines.isEmpty { print("no engine was left alone") }
        print("\(kinds.count) jobs that waited for an engine run now")
    }

    /// Sends the signals of jobs. Without them workers find the jobs at their next poll.
    private static func wake(_ kinds: [JobKind], on client: RedisClient) async {
        let signals = RedisJobSignals(client: client, logger: AdminDatabase.logger)
        for kind in Set(kinds) { signals.jobCommitted(kind) }
        // Answered after the signals have been sent; the client is closed then.
        _ = await client.ping()
    }
}
