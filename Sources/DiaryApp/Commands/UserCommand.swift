import ArgumentParser
import DiaryCore
import DiaryDatabase
import PostgresClient

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Shows, closes and erases accounts; never prints diary text or an address.",
        subcommands: [Show.self, Disable.self, Enable.self, Erase.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows an account: times and counts, and whether its key is there.")

        @OptionGroup var target: UserTarget

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let overview = try await users.overview(owner) else { throw target.missing }
            try UserReport.show(overview, hasKey: try await Self.hasKey(owner), of: owner, json: json)
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
            abstract: "Closes an account at once: every session ends, sign-in is refused; everything is kept.")

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
        struct Changed: Encodable {
            let id: String
            let disabled: Bool
        }
        if admin.json {
            try CommandOutput.json(Changed(id: owner.user.description, disabled: disabled))
        } else {
            print("\(owner.user): \(disabled ? "disabled" : "enabled")")
        }
    }
}

extension UserCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an account; prints the receipt by which its owner may follow the erasure.",
            discussion: """
                Access ends at once; a worker destroys the key, the recordings and the rows within a minute. Needs \
                DIARY_SERVICE_SECRET. JSON is {id, receipt}.
                """)

        @OptionGroup var target: UserTarget

        @OptionGroup var confirmation: Confirmation
        @OptionGroup var admin: AdminOptions

        func validate() throws { try confirmation.require() }

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let receipt = try await AdminErasure(users: users).erase(owner, by: try admin.who()) else { throw target.missing }
            struct Started: Encodable {
                let id: String
                let receipt: String
            }
            if admin.json {
                try CommandOutput.json(Started(id: owner.user.description, receipt: receipt.text))
            } else {
                print("\(owner.user): being erased; receipt \(receipt.text)")
            }
        }
    }
}
