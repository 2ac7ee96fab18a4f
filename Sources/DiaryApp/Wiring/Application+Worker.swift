import DiaryCore
import DiaryDatabase
import DiaryMail
import DiaryMedia
import DiaryObjectStore
import DiaryQueue
import DiaryWorker
import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle

extension Application {
    /// Workers and sweeper.
    func workerServices() async throws -> [any Service] {
        if settings.speech == .pocketsphinx { try NeededPrograms.check(NeededPrograms.media + NeededPrograms.model) }
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
        let media = await providers()
        let tenants = PostgresTenantStore(pool: workers, freshFor: .seconds(15))
        let jobs: [any Job] = [
            VerifyRecording(
                store: transcriptions, objects: objects, keys: keys, probe: media.probe, folders: folders, tenants: tenants,
                limits: limits),
            TranscribeRecording(
                store: transcriptions, objects: objects, keys: keys, recognizer: media.recognizer, folders: folders),
            CleanTranscript(store: transcriptions, keys: keys, cleaner: media.cleaner, tenants: tenants, limits: limits),
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
                "name": "\(configuration.name)", "speech": "\(settings.speech.rawValue)",
                "workerPools": .array(configuration.slots.map { "\($0.key) x\($0.value)" }),
            ])
        return [
            temporary,
            ConnectionPoolShutdown(pools: [workers, workerKeys]),
            notices([.tenants: { await tenants.refresh() }]),
            KeyCacheReaper(caches: [keys]),
            Eraser(
                store: PostgresDeletionStore(pool: workers), keys: keys, objects: DiskPersonalObjects(store: objects),
                rates: RedisRateLimiter(client: redis), serviceKeys: serviceKeys, limits: limits, logger: logger),
            loop,
            Sweeper(
                queue: queue, store: PostgresSweepStore(pool: workers), objects: objects, inventory: DiskInventory(store: objects),
                jobSignals: jobSignals,
                limits: limits, logger: logger),
        ] + (try appleServices(workers))
    }

    private func providers() async -> (probe: any MediaProbe, recognizer: any SpeechRecognizer, cleaner: any TranscriptCleaner) {
        switch settings.speech {
        case .scripted:
            let scripts = settings.speechScripts
            return (ScriptedProbe(scripts: scripts), ScriptedRecognizer(scripts: scripts), ScriptedCleaner(scripts: scripts))
        case .pocketsphinx:
            let sandbox = await Sandbox.detect()
            logger.notice("media sandbox", metadata: ["isolation": "\(sandbox.isolation.rawValue)", "holds": "\(sandbox)"])
            let limits = RecordingLimits(duration: settings.limits.maxAudioSeconds)
            return (FFmpegProbe(sandbox: sandbox, limits: limits), PocketSphinxRecognizer(sandbox: sandbox, limits: limits), RulesCleaner())
        }
    }

    private func hostname() -> String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, 64) == 0 else { return "host" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The disk store as erasure sees it.
struct DiskPersonalObjects: PersonalObjects {
    let store: DiskObjectStore

    func count(of owner: Owner) async throws(ObjectStoreError) -> Int { try await store.count(of: owner) }
    func remove(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int { try await store.remove(of: owner, most: most) }
}

/// The disk store's pages as the sweeper reads them.
struct DiskInventory: ObjectInventory {
    let store: DiskObjectStore

    func sizes(of keys: [ObjectKey]) async throws(ObjectStoreError) -> [Result<Int64?, ObjectStoreError>] {
        try await store.sizes(of: keys)
    }

    func keys(
        _ kind: ObjectKey.Kind, olderThan: Date, after: ObjectKey?
    ) async throws(ObjectStoreError) -> (keys: [ObjectKey], next: ObjectKey?) {
        let page = try await store.objects(kind, olderThan: olderThan, after: after)
        return (page.objects.map(\.key), page.next)
    }
}
