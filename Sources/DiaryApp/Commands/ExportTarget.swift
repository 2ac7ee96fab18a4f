import ArgumentParser
import DiaryCore
import DiaryDatabase

/// The account whose exports a command is about, by id or by address.
struct ExportTarget: ParsableArguments {
    @Option(help: "The app's slug.")
    var tenant: String

    @Option(help: "The user's id, or the address they sign in with (needs DIARY_SERVICE_SECRET).")
    var user: String

    var missing: CommandFailure { CommandFailure("there is no such account in \(tenant)") }

    func validate() throws {
        guard UserTarget.isUser(user) else { throw ValidationError("--user must be a user's id or a mail address") }
    }

    func find() async throws -> (PostgresExportAdministration, Owner) {
        let (users, owner) = try await UserTarget.find(user, in: tenant)
        return (PostgresExportAdministration(pool: users.pool), owner)
    }
}
