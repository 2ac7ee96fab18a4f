import ArgumentParser
import DiaryCore
import DiaryDatabase

extension KeysCommand {
    struct Destroy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Destroys the data key of an account that is erased: after a restore of the key database brought it back.",
            discussion: """
                What the key opens, in backups too, can never be read again. Refused while the main database has the account; `diary restore-check` \
                names such keys.
                """)

        @Argument(help: "The app's id, as `diary restore-check` shows it.")
        var tenant: String

        @Argument(help: "The user's id.")
        var user: String

        @OptionGroup var confirmation: Confirmation

        private static let form = ReportForm<UserID>(.member("id") { $0.description }, .member("destroyed") { _ in true })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func validate() throws {
            guard TenantID(tenant) != nil, UserID(user) != nil else {
                throw ValidationError("must be the id of an app and the id of a user")
            }
            try confirmation.require()
        }

        func run() async throws {
            guard let tenant = TenantID(tenant), let user = UserID(user) else { return }
            let owner = Owner(tenant: tenant, user: user)
            guard try await PostgresUserAdministration(pool: try AdminDatabase.pool()).overview(owner) == nil else {
                throw CommandFailure("the main database has this account; `diary user erase` erases it")
            }
            guard try await KeyAdministrationSession().keys.destroy(keyOf: owner) else { throw CommandFailure("there is no such key") }
            Self.form.show(user, json: json, or: "the key of \(user) is destroyed")
        }
    }
}
