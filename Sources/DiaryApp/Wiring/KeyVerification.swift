import DiaryCore
import DiaryCrypto
import DiaryDatabase
import PostgresClient

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
