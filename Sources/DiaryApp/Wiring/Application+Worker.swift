import DiaryCore
import DiaryDatabase
import DiaryMail
import DiaryObjectStore
import DiaryRedis
import DiaryWorker
import FoundationEssentials
import Logging
import PostgresClient
import ServiceLifecycle

extension Application {
    /// Each queue with its job kinds and its slots for short and long jobs, for the log: `media verify x3+1`.
    static func queues(_ slots: [QueueName: QueueSlots]) -> [String] {
        slots.map { queue, slots in
            let kinds = JobCatalogue.diary.descriptors.filter { $0.queue == queue }.map(\.kind.rawValue)
            return "\(queue) \(kinds.joined(separator: " ")) x\(slots.short)+\(slots.long)"
        }.sorted()
    }

    /// The worker's services in the order of their start; they stop in reverse order.
    /// - Parameter onMail: called with each mail that was sent.
    func workerServices(_ own: WorkerSettings, onMail: (@Sendable (OutgoingMessage) -> Void)? = nil) async throws -> [any Service] {
        try NeededPrograms.check(own.media.programs)
        let limits = settings.limits
        let speechSlots = own.speechSlots
        // Jobs on texts mostly wait for an engine or the database, and a claim costs each less the more are claimed. Eight of one account, which is
        // less than the pool has connections: its jobs may all wait for the account's row at once.
        // The speech server hears one window after the other, in turns: slots of speech beyond one only keep it supplied.
        let slots: [QueueName: QueueSlots] = [
            .speech: .speech(speechSlots), .media: QueueSlots(short: 3, light: 1), .text: QueueSlots(short: 64, account: 8),
            .exports: QueueSlots(short: 2), .imports: QueueSlots(short: 2), .mail: QueueSlots(short: 4),
        ]
        // Fewer connections than slots: a job needs one for short moments only, and all processes share the server's connections.
        let workers = try pool(.worker, size: speechSlots / 2 + 9)
        let workerKeys = try keyPool(.worker)
        let schema = try await SchemaWatch(main: workers, keys: workerKeys, logger: logger)
        let keys = dataKeys(workerKeys)
        let keyWatch = try await KeyWatch(workerKeys, settings, logger: logger)
        let temporary = try temporaryFolder(own)
        let factory = try EngineFactory(own.media, limits: limits, logger: logger)
        let media = try await MediaProviders(own.media, factory: factory)
        let engines = TenantEngines(
            store: PostgresEngineStore(pool: workers), service: media.engines, builder: factory, masters: settings.keys.masters)
        let tenants = PostgresTenantStore(pool: workers, freshFor: .seconds(15))
        let mailProviders = try own.mailProviders.providers()
        let mail = TenantMailRouting(
            service: try own.mail.transport(mailProviders), providers: mailProviders, secrets: PostgresEngineStore(pool: workers),
            masters: settings.keys.masters, region: own.mailProviders.region, logger: logger)
        let routing: any MailRouting = if let onMail { AnnouncingMailRouting(routing: mail, announce: onMail) } else { mail }
        let ports = WorkerPorts(
            transcriptions: PostgresTranscriptionStore(pool: workers),
            exportBuilds: PostgresExportBuildStore(pool: workers, snapshot: settings.database.main(as: .worker), logger: logger),
            imports: PostgresImportRunStore(pool: workers), mails: PostgresMailQueueStore(pool: workers),
            exports: PostgresExportStore(pool: workers), tenants: tenants, objects: objects,
            keys: keys, serviceKeys: serviceKeys, probe: media.probe, renderer: media.renderer, engines: engines,
            gates: engineGates(workers, tenants, slots, limits),
            composer: TemplateComposer(codeMinutes: limits.codeSeconds / 60), routing: routing, links: links,
            publicURL: settings.publicURL.description, temporary: temporary.path, limits: limits, logger: logger)
        let configuration = WorkerConfiguration(name: ProcessName.worker, slots: slots, limits: limits)
        let loop = try JobLoop(
            queue: PostgresJobQueue(pool: workers), jobSignals: jobSignals, jobs: DiaryJobs.all(ports), configuration: configuration,
            logger: logger)
        noteStart(configuration, own.media)
        return [
            temporary,
            ConnectionPoolShutdown(pools: [workers, workerKeys]), TransferShutdown(transfers: factory.transfers),
            TransferShutdown(transfers: mailProviders.transfers), schema,
            notices([
                .tenants: {
                    await tenants.refresh()
                    engines.refresh()
                }
            ]),
            KeyCacheReaper(caches: [keys]), keyWatch,
            eraser(workers, keys: keys, limits), loop, sweeper(workers, keys: keys, limits), exportScheduler(workers, limits),
            presenceReporter(workers, name: configuration.name, own.media),
        ] + (try appleServices(workers)) + [StopNotice(manager: manager, saysReady: true)]
    }

    private func temporaryFolder(_ own: WorkerSettings) throws -> TemporaryFolder {
        do { return try TemporaryFolder(in: own.temporary) } catch { throw FolderFault.of(error, WorkerSettings.temporary) }
    }

    /// In the order in which they are asked. Slots come before the breaker, so that a call that had to wait for a slot sees the breaker's
    /// present state. The budget is last, because it reserves what the call may cost.
    private func engineGates(
        _ workers: ConnectionPool, _ tenants: PostgresTenantStore, _ slots: [QueueName: QueueSlots], _ limits: Limits
    )
        -> [any EngineGate]
    {
        [
            ConsentGate(consents: PostgresConsentStore(pool: workers), tenants: tenants),
            SlotGate(slots: [.speech: slots[.speech]?.short ?? 1, .text: slots[.text]?.short ?? 1]),
            BreakerGate(breakers: RedisBreakers(client: redis, BreakerPolicy(limits)), logger: logger),
            BudgetGate(usage: PostgresUsageStore(pool: workers), tenants: tenants, clock: clock, logger: logger),
        ]
    }

    private func eraser(_ workers: ConnectionPool, keys: DataKeys, _ limits: Limits) -> Eraser {
        Eraser(
            store: PostgresDeletionStore(pool: workers), keys: keys, objects: objects, rates: RedisRateLimiter(client: redis),
            serviceKeys: serviceKeys, limits: limits, logger: logger)
    }

    private func exportScheduler(_ workers: ConnectionPool, _ limits: Limits) -> ExportScheduler {
        ExportScheduler(
            runner: RunDueSchedules(store: PostgresDueScheduleStore(pool: workers), jobSignals: jobSignals, limits: limits),
            limits: limits, logger: logger)
    }

    private func sweeper(_ workers: ConnectionPool, keys: DataKeys, _ limits: Limits) -> Sweeper {
        Sweeper(
            queue: PostgresJobQueue(pool: workers), marks: objectStorage.marks,
            registered: DiarySweeps(
                store: PostgresSweepStore(pool: workers), objects: objects, parts: parts, keys: keys, serviceKeys: serviceKeys,
                jobSignals: jobSignals, limits: limits, logger: logger))
    }

    private func presenceReporter(_ pool: ConnectionPool, name: String, _ media: MediaSettings) -> PresenceReporter {
        PresenceReporter(
            presence: PostgresWorkerPresence(pool: pool), worker: WorkerIdentity(name: name, version: Version.text), logger: logger,
            hears: { media.missingServer == nil })
    }

    private func noteStart(_ configuration: WorkerConfiguration, _ media: MediaSettings) {
        if let missing = media.missingServer {
            logger.warning("no speech server: recordings wait until it runs", metadata: ["socket": "\(missing)"])
        }
        logger.notice(
            "worker starts",
            metadata: [
                "name": "\(configuration.name)", "probe": "\(media.probe.rawValue)", "speech": "\(media.speech.rawValue)",
                "cleanup": "\(media.cleanup.rawValue)", "queues": .array(Self.queues(configuration.slots).map { "\($0)" }),
            ])
    }
}
