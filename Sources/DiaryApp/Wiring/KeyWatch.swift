import DiaryCore
import DiaryCrypto
import DiaryDatabase
import Logging
import PostgresClient
import ServiceLifecycle

/// Compares the keys of the settings with the key database before the first request or job. When that database is down at the start, it
/// does so as soon as it answers; until then no data key can be read either.
struct KeyWatch: Service {
    private let pool: ConnectionPool
    private let settings: Settings
    private let logger: Logger
    private let isVerified: Bool

    /// - Parameter pool: of the key database.
    /// - Throws: `SettingsError` for a wrong key.
    init(_ pool: ConnectionPool, _ settings: Settings, logger: Logger) async throws {
        self.pool = pool
        self.settings = settings
        self.logger = logger
        isVerified = try await Self.verify(pool, settings)
        if !isVerified { logger.warning("keys not compared yet: the key database does not answer") }
    }

    /// Ends the service when a key is wrong.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var isVerified = isVerified
            while !isVerified {
                guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
                isVerified = try await Self.verify(pool, settings)
            }
            // The end of a service ends the process.
            while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
        }
    }

    /// - Returns: false when the key database does not answer.
    private static func verify(_ pool: ConnectionPool, _ settings: Settings) async throws -> Bool {
        do {
            try await KeyVerification.run(pool, masters: settings.keys.masters, secret: settings.serviceSecret)
            return true
        } catch let error as DiaryError where error.code == .unavailable {
            return false
        }
    }
}

/// Removes opened keys that were not used for a while from memory, so that none outlives its account in an idle process.
struct KeyCacheReaper: Service {
    let caches: [DataKeys]

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(60))
                for cache in caches { cache.dropOld() }
            }
        }
    }
}

/// Stops a start, or a command, whose keys are not the ones of the key database: it would answer every member with an error, refuse every
/// sign-in, or wrap new data keys under a key that is lost with the next restart.
enum KeyVerification {
    /// - Parameters:
    ///   - pool: of the key database.
    ///   - masters: nil where they are not used.
    ///   - secret: nil where it is not used.
    /// - Throws: `SettingsError` that names the setting; `DiaryError` when the key database does not answer.
    static func run(_ pool: ConnectionPool, masters: MasterKeyRing?, secret: SecretBytes?) async throws {
        let wrong = try await CheckKeys(store: PostgresKeyCheckStore(pool: pool)).run(
            masters: masters, serviceKeys: secret.map { ServiceKeys(secret: $0) })
        guard let first = wrong.first else { return }
        switch first {
        case .master(let id):
            throw SettingsError(
                KeySettings.masters, "the key named \(id) is another one than this key database has; a new key needs a new name")
        case .serviceSecret:
            throw SettingsError(KeySettings.serviceSecret, "is another one than this key database has; it must never change")
        }
    }

    /// For a command, by the database role `diary_admin` on a connection of its own.
    static func run(_ environment: Environment, masters: MasterKeyRing? = nil, secret: SecretBytes? = nil) async throws {
        let database = try DatabaseSettings(environment)
        let pool = try ConnectionPool(.init(connection: database.keys(as: .admin), size: 1), logger: AdminDatabase.logger)
        let result: Result<Void, any Error>
        do { result = .success(try await run(pool, masters: masters, secret: secret)) } catch { result = .failure(error) }
        await pool.close()
        try result.get()
    }
}
