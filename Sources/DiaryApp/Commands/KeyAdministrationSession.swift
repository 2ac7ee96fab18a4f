import DiaryCore
import DiaryDatabase
import DiaryIdentity
import FoundationEssentials
import Logging
import PostgresClient

/// What every subcommand of `diary keys` needs: settings, the key database, and its keys as read at the start.
struct KeyAdministrationSession: Sendable {
    let settings: KeySettings
    let keys: PostgresKeyAdministration
    let stored: [StoredSigningKey]
    let schedule: SigningKeySchedule
    let readAt = Date()

    /// The main database's record of retired keys. Connects on first use, so that a new key can be made while the main database is down.
    func retirements() throws -> PostgresRetiredTokenKeys { PostgresRetiredTokenKeys(pool: try AdminDatabase.pool()) }

    /// The main database's secrets of apps; connects as `retirements` does.
    func appSecrets() throws -> PostgresEngineAdministration { PostgresEngineAdministration(pool: try AdminDatabase.pool()) }

    init() async throws {
        settings = try KeySettings(Environment.process)
        let database = try DatabaseSettings(Environment.process)
        let pool = try ConnectionPool(.init(connection: database.keys(as: .admin), size: 1), logger: Logger(label: "diary-keys"))
        try await KeyVerification.run(pool, masters: settings.masters, secret: nil)
        keys = PostgresKeyAdministration(pool: pool)
        stored = try await keys.signingKeys()
        schedule = try await SigningKeySource(
            store: keys, masters: settings.masters, configured: settings.signingKey, accessTokenSeconds: settings.accessTokenSeconds
        ).schedule()
    }
}
