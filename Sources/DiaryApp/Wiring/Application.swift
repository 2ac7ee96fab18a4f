import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryHTTP
import DiaryIdentity
import DiaryObjectStore
import DiaryRedis
import Logging
import PostgresClient
import ServiceLifecycle
import UnixSignals

/// What both the API and the workers use: settings, keys, stores and clients.
struct Application: Sendable {
    let settings: Settings
    let installedFiles: InstalledFiles
    let logger: Logger
    let manager: ServiceManager
    let serviceKeys: ServiceKeys
    let redis: RedisClient
    let jobSignals: RedisJobSignals
    let objectStorage: ObjectStorage
    let objects: any ObjectStore
    let parts: any UploadParts
    let links: LinkSigner
    let clock = WallClock.system

    /// Also configures the process: memory and logging.
    init(_ environment: Environment, for role: SettingsCheck.Role, label: String) throws {
        ProcessMemory.configure()
        let settings = try Settings(environment, for: role)
        let installedFiles = try InstalledFiles.find(environment)
        LoggingSystem.bootstrap { label in LogOutput.handler(label: label, level: settings.logLevel) }
        let logger = Logger(label: label)
        for unknown in UnknownSettings.of(environment) {
            logger.warning("unknown setting", metadata: ["setting": "\(unknown.name)", "reason": "\(unknown.reason)"])
        }
        try self.init(settings, installedFiles: installedFiles, logger: logger, manager: ServiceManager(environment))
    }

    init(_ settings: Settings, installedFiles: InstalledFiles, logger: Logger, manager: ServiceManager = .absent) throws {
        self.settings = settings
        self.manager = manager
        self.installedFiles = installedFiles
        self.logger = logger
        serviceKeys = ServiceKeys(secret: settings.serviceSecret)
        redis = RedisClient(endpoint: settings.redis, logger: logger)
        jobSignals = RedisJobSignals(client: redis, logger: logger)
        objectStorage = try ObjectStorage(settings.objects, logger: logger)
        objects = objectStorage.objects
        parts = objectStorage.parts
        links = LinkSigner(key: serviceKeys.links)
    }

    func pool(_ role: DatabaseSettings.Role, size: Int) throws -> ConnectionPool {
        try ConnectionPool(.init(connection: settings.database.main(as: role), size: size), logger: logger)
    }

    func keyPool(_ role: DatabaseSettings.Role) throws -> ConnectionPool {
        try ConnectionPool(.init(connection: settings.database.keys(as: role), size: 2), logger: logger)
    }

    /// Opened data keys, from the key database.
    func dataKeys(_ pool: ConnectionPool) -> DataKeys {
        DataKeys(store: PostgresKeyStore(pool: pool), ring: settings.keys.masters)
    }

    /// Refreshes caches when another process announces a change.
    func notices(_ refresh: [ChangeTopic: @Sendable () async -> Void]) -> ChangeNotices {
        ChangeNotices(endpoint: settings.redis, logger: logger, refresh: refresh)
    }

    /// Runs the services until a signal, a cancellation, or until one of them fails; stops them in reverse order.
    func run(_ services: [any Service], signals: [UnixSignal] = [.sigterm, .sigint]) async throws {
        logger.notice("starting", metadata: ["version": "\(Version.text)"])
        await objectStorage.wipeTemporary()
        var configuration = ServiceGroupConfiguration(
            // The watchdog is first, so that it also watches over the end of the others; they stop in reverse order.
            services: ([Watchdog(manager: manager), redis, jobSignals, MemoryTrimmer()] + objectStorage.services + services).map {
                // An older schema that is found later ends the process gracefully: what runs may finish.
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: $0 is SchemaWatch ? .gracefullyShutdownGroup : .cancelGroup)
            },
            gracefulShutdownSignals: signals, logger: logger)
        // A little more than the jobs get, so that they can be released.
        configuration.maximumGracefulShutdownDuration = .seconds(settings.limits.gracefulStopSeconds + 5)
        try await ServiceGroup(configuration: configuration).run()
    }
}
