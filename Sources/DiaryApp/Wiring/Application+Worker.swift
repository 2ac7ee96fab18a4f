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
        let store = PostgresWorkStore(pool: workers, snapshot: settings.database.main(as: .worker), logger: logger)
        let temporary: TemporaryFolder
        do {
            temporary = try TemporaryFolder(in: settings.temporary)
        } catch {
            throw SettingsError("DIARY_TEMPORARY", "cannot be used as a folder")
        }
        let folders = JobFolders(root: temporary.path)
        let media = await providers()
        let tenants = PostgresTenantStore(pool: workers, freshFor: .seconds(15))
        let works: [any JobWork] = [
            VerifyRecording(
                store: store, objects: objects, keys: keys, probe: media.probe, folders: folders, tenants: tenants, jobSignals: jobSignals,
                limits: limits),
            TranscribeRecording(
                store: store, objects: objects, keys: keys, recognizer: media.recognizer, folders: folders, jobSignals: jobSignals, limits: limits
            ),
            CleanTranscript(store: store, keys: keys, cleaner: media.cleaner, tenants: tenants, limits: limits),
            BuildExport(store: store, objects: objects, keys: keys, folders: folders, jobSignals: jobSignals, limits: limits),
            SendMail(
                store: store, exports: PostgresExportStore(pool: workers), tenants: tenants, keys: keys,
                composer: TemplateComposer(codeMinutes: limits.codeSeconds / 60), transport: try settings.mail.transport(),
                links: links,
                publicURL: settings.publicURL.description, limits: limits),
        ]
        let configuration = WorkerConfiguration(name: "\(hostname())/\(getpid())", limits: limits, speechSlots: speechSlots)
        logger.notice(
            "worker starts",
            metadata: [
                "name": "\(configuration.name)", "speech": "\(settings.speech.rawValue)",
                "workerPools": .array(
                    configuration.groups.map { "\($0.kinds.map(\.rawValue).joined(separator: "+")) x\($0.slots)" }),
            ])
        return [
            temporary,
            ConnectionPoolShutdown(pools: [workers, workerKeys]),
            notices([.tenants: { await tenants.refresh() }]),
            KeyCacheReaper(caches: [keys]),
            Eraser(
                store: PostgresDeletionStore(pool: workers), keys: keys, objects: objects,
                rates: RedisRateLimiter(client: redis), serviceKeys: serviceKeys, limits: limits, logger: logger),
            JobLoop(store: store, jobSignals: jobSignals, works: works, configuration: configuration, logger: logger),
            Sweeper(
                work: store, store: PostgresSweepStore(pool: workers), objects: objects,
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

/// The mail room's templates as the worker asks for them.
struct TemplateComposer: MailComposer {
    let codeMinutes: Int

    func compose(
        _ kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport?
    ) throws(MailFailure) -> OutgoingMessage {
        let template: MailTemplate
        switch kind {
        case .signInCode, .resetCode, .addressCode, .reauthenticationCode, .sessionReused, .passwordChanged, .addressChanged,
            .identityLinked,
            .identityUnlinked:
            guard let mailed = AccountMail(kind, code: payload.code, appName: tenant.name, minutes: codeMinutes) else {
                throw .refused("no code")
            }
            return mailed.message(id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
        case .verificationCode:
            guard let code = payload.code else { throw .refused("no code") }
            template = .verificationCode(code: code, appName: tenant.name, minutes: codeMinutes)
        case .addressAlreadyRegistered:
            template = .addressAlreadyRegistered(appName: tenant.name)
        case .exportReady:
            guard let export else { throw .refused("no export") }
            template = .exportReady(
                link: export.link, appName: tenant.name, expiresAt: Self.text(export.expiresAt), from: export.from.description,
                to: export.to.description)
        }
        return template.message(id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
    }

    private static func text(_ date: Date) -> String {
        let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        return whole.formatted(.iso8601).map { $0 == "T" ? " " : String($0) }.joined().replacing("Z", with: " UTC")
    }
}
