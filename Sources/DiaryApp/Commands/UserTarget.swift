import ArgumentParser
import DiaryCore
import DiaryDatabase

/// An account, by id or by address. The address is hashed here; only the hash leaves the process.
struct UserTarget: ParsableArguments {
    @Argument(help: "The app's slug.")
    var tenant: String

    @Argument(help: "The user's id, or the address they sign in with (needs DIARY_SERVICE_SECRET).")
    var user: String

    var missing: CommandFailure { CommandFailure("there is no such account in \(tenant)") }

    func validate() throws {
        guard Self.isUser(user) else { throw ValidationError("must be a user's id or a mail address") }
    }

    func find() async throws -> (PostgresUserAdministration, Owner) { try await Self.find(user, in: tenant) }

    static func isUser(_ text: String) -> Bool { UserID(text) != nil || MailAddress(text) != nil }

    /// - Parameter user: an id, or an address (`isUser`).
    static func find(_ user: String, in tenant: String) async throws -> (PostgresUserAdministration, Owner) {
        let missing = CommandFailure("there is no such account in \(tenant)")
        let app = try await TenantCommand.tenant(tenant)
        let users = PostgresUserAdministration(pool: try AdminDatabase.pool())
        if let id = UserID(user) { return (users, Owner(tenant: app.id, user: id)) }
        guard let address = MailAddress(user) else { throw missing }
        let secret = try Environment.process.read(KeySettings.serviceSecret)
        try await KeyVerification.run(.process, secret: secret)
        let serviceKeys = ServiceKeys(secret: secret)
        guard let id = try await users.user(address: serviceKeys.addressHash(address.normalised, tenant: app.id), in: app.id) else {
            throw missing
        }
        return (users, Owner(tenant: app.id, user: id))
    }
}
