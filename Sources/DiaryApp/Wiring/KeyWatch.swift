import DiaryCore
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
