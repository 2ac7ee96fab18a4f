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
    func workerServices() async throws -> [any Service] {
        try NeededPrograms.check(settings.media.programs)
        let limits = settings.limits
        let speechSlots = settings.speechSlots
        // A connection for each job that may run, and one each for claiming, heartbeats, sweeping and erasing.
        let workers = try pool(.worker, size: speechSlots + 8)
        let workerKeys = try keyPool(.worker)
        let keys = dataKeys(workerKeys)
        let queue = PostgresJobQueue(pool: workers)
        let transcriptions = PostgresTranscriptionStore(pool: workers)
        let temporary: TemporaryFolder
        do {
            temporary = try TemporaryFolder(in: settings.temporary)
        } catch {
            throw SettingsError("DIARY_TEMPORARY", "cannot be used as a folder")
        }
        let folders = JobFolders(root: temporary.path)
        let media = await MediaProviders(settings.media, limits: limits, logger: logger)
        let tenants = PostgresTenantStore(pool: workers, freshFor: .seconds(15))
        let jobs: [any Job] = [
            VerifyRecording(
                store: transcriptions, objects: objects, keys: keys, probe: media.probe, folders: folders, tenants: tenants,
                limits: limits),
            TranscribeRecording(
                store: transcriptions, objects: objects, keys: keys, recognizer: media.speech, folders: folders),
            CleanTranscript(store: transcriptions, keys: keys, cleaner: media.cleanup, tenants: tenants, limits: limits),
            BuildExport(
                store: PostgresExportBuildStore(pool: workers, snapshot: settings.database.main(as: .worker), logger: logger),
                objects: objects, keys: keys, folders: folders, limits: limits),
            SendMail(
                store: PostgresMailQueueStore(pool: workers), exports: PostgresExportStore(pool: workers), tenants: tenants, keys: keys,
                composer: TemplateComposer(codeMinutes: limits.codeSeconds / 60), transport: try settings.mail.transport(),
                links: links, publicURL: settings.publicURL.description),
        ]
        let configuration = WorkerConfiguration(
            name: "\(hostname())/\(getpid())", slots: [.speech: speechSlots, .general: 4], limits: limits)
        let loop = try JobLoop(queue: queue, jobSignals: jobSignals, jobs: jobs, configuration: configuration, logger: logger)
        logger.notice(
            "worker starts",
            metadata: [
                "name": "\(configuration.name)", "probe": "\(settings.media.probe.rawValue)",
                "speech": "\(settings.media.speech.rawValue)", "cleanup": "\(settings.media.cleanup.rawValue)",
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
        ] + (try appleServices(workers))
    }

    private func hostname() -> String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
