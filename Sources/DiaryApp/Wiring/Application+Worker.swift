import DiaryCore
import DiaryDatabase
import DiaryMail
import DiaryObjectStore
import DiaryRedis
import DiaryWorker
import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle

extension Application {
    /// Workers and sweeper.
    func workerServices(_ own: WorkerSettings) async throws -> [any Service] {
        try NeededPrograms.check(own.media.programs)
        let limits = settings.limits
        let speechSlots = own.speechSlots
        // A connection for each job that may run, and one each for claiming, heartbeats, sweeping and erasing.
        let workers = try pool(.worker, size: speechSlots + 8)
        let workerKeys = try keyPool(.worker)
        let keys = dataKeys(workerKeys)
        let queue = PostgresJobQueue(pool: workers)
        let temporary: TemporaryFolder
        do {
            temporary = try TemporaryFolder(in: own.temporary)
        } catch {
            throw SettingsError("DIARY_TEMPORARY", "cannot be used as a folder")
        }
        let media = try await MediaProviders(own.media, limits: limits, logger: logger)
        let tenants = PostgresTenantStore(pool: workers, freshFor: .seconds(15))
        let ports = WorkerPorts(
            transcriptions: PostgresTranscriptionStore(pool: workers),
            exportBuilds: PostgresExportBuildStore(pool: workers, snapshot: settings.database.main(as: .worker), logger: logger),
            mails: PostgresMailQueueStore(pool: workers), exports: PostgresExportStore(pool: workers), tenants: tenants, objects: objects,
            keys: keys, probe: media.probe, recognizer: media.speech, cleaner: media.cleanup,
            composer: TemplateComposer(codeMinutes: limits.codeSeconds / 60), transport: try own.mail.transport(), links: links,
            publicURL: settings.publicURL.description, temporary: temporary.path, limits: limits)
        let configuration = WorkerConfiguration(
            name: "\(hostname())/\(getpid())", slots: [.speech: speechSlots, .general: 4], limits: limits)
        let loop = try JobLoop(
            queue: queue, jobSignals: jobSignals, jobs: DiaryJobs.all(ports), configuration: configuration, logger: logger)
        logger.notice(
            "worker starts",
            metadata: [
                "name": "\(configuration.name)", "probe": "\(own.media.probe.rawValue)",
                "speech": "\(own.media.speech.rawValue)", "cleanup": "\(own.media.cleanup.rawValue)",
                "workerPools": .array(configuration.slots.map { "\($0.key) x\($0.value)" }),
            ])
        return [
            temporary,
            ConnectionPoolShutdown(pools: [workers, workerKeys]),
            notices([.tenants: { await tenants.refresh() }]),
            KeyCacheReaper(caches: [keys]),
            Eraser(
                store: PostgresDeletionStore(pool: workers), keys: keys, objects: objects,
                rates: RedisRateLimiter(client: redis), serviceKeys: serviceKeys, limits: limits, logger: logger),
            loop,
            Sweeper(
                queue: queue, store: PostgresSweepStore(pool: workers), objects: objects,
                jobSignals: jobSignals,
                limits: limits, logger: logger),
        ] + (try appleServices(workers)) + [StopNotice(manager: manager, saysReady: true)]
    }

    private func hostname() -> String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
