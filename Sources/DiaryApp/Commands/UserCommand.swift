import ArgumentParser
import DiaryCore
import DiaryDatabase
import PostgresClient

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Makes, shows, closes and erases accounts; never prints diary text or an address.",
        subcommands: [Create.self, Show.self, Disable.self, Enable.self, Tokens.self, Erase.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows an account: times and counts, and whether its key is there.")

        @OptionGroup var target: UserTarget

        @Flag(help: "Print JSON: \(UserReport.form.shape).")
        var json = false

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let overview = try await users.overview(owner) else { throw target.missing }
            UserReport(user: owner.user, overview: overview, hasKey: try await Self.hasKey(owner)).show(json: json)
        }

        /// Whether the account's key is there. Asked as `diary_worker`, because `diary_admin` may read no account's key.
        /// - Returns: nil when the key database does not answer.
        private static func hasKey(_ owner: Owner) async throws -> Bool? {
            let database = try DatabaseSettings(Environment.process)
            let pool = try ConnectionPool(.init(connection: database.keys(as: .worker), size: 1), logger: AdminDatabase.logger)
            do throws(DiaryError) { return try await PostgresKeyStore(pool: pool).wrappedKey(of: owner) != nil } catch { return nil }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Closes an account at once: every session and API token ends, sign-in is refused; everything is kept.")

        @OptionGroup var target: UserTarget
        @OptionGroup var admin: AdminOptions

        func run() async throws { try await UserCommand.set(target, disabled: true, admin) }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Opens a disabled account; its owner signs in again.")

        @OptionGroup var target: UserTarget
        @OptionGroup var admin: AdminOptions

        func run() async throws { try await UserCommand.set(target, disabled: false, admin) }
    }

    private static func set(_ target: UserTarget, disabled: Bool, _ admin: AdminOptions) async throws {
        let (users, owner) = try await target.find()
        guard try await users.setDisabled(owner, disabled, by: try admin.who()) else { throw target.missing }
        changed.show((owner.user, disabled), json: admin.json, or: "\(owner.user): \(disabled ? "disabled" : "enabled")")
    }

    private static let changed = ReportForm<(user: UserID, disabled: Bool)>(
        .member("id") { $0.user.description }, .member("disabled") { $0.disabled })
}

extension UserCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an account; prints the receipt by which its owner may follow the erasure.",
            discussion: """
                Access ends at once; a worker destroys the key, the recordings and the rows within a minute. Needs \
                DIARY_SERVICE_SECRET. JSON is \(Self.form.shape).
                """)

        private static let form = ReportForm<(user: UserID, receipt: ErasureReceipt)>(
            .member("id") { $0.user.description }, .member("receipt") { $0.receipt.text })

        @OptionGroup var target: UserTarget

        @OptionGroup var confirmation: Confirmation
        @OptionGroup var admin: AdminOptions

        func validate() throws { try confirmation.require() }

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let receipt = try await AdminErasure(users: users).erase(owner, by: try admin.who()) else { throw target.missing }
            Self.form.show((owner.user, receipt), json: admin.json, or: "\(owner.user): being erased; receipt \(receipt.text)")
        }
    }
}
