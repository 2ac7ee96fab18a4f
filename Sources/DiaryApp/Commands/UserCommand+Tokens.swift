import ArgumentParser
import DiaryCore
import DiaryDatabase

extension UserCommand {
    struct Tokens: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists and revokes the API tokens of an account's devices and scripts, whose names are not shown.",
            subcommands: [List.self, Revoke.self])

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists an account's API tokens, newest first.")

            private static let form = ReportForm<APITokenOverview>(
                .field("id") { $0.id.description },
                .field("scopes") { $0.scopes },
                .field("created_at", column: "created") { $0.createdAt },
                .field("expires_at", column: "ends") { $0.expiresAt },
                .field("last_used_at", column: "last used", none: "never", orNull: true) { $0.lastUsedAt })

            @OptionGroup var target: UserTarget

            @Flag(help: "Print JSON: [\(Self.form.shape)].")
            var json = false

            func run() async throws {
                let (users, owner) = try await target.find()
                guard try await users.overview(owner) != nil else { throw target.missing }
                Self.form.show(try await users.tokens(of: owner), json: json)
            }
        }

        struct Revoke: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Revokes one API token of an account, or all of them, at once.", discussion: "JSON is \(Self.form.shape).")

            private static let form = ReportForm<(user: UserID, ended: Int)>(
                .member("id") { $0.user.description }, .member("ended") { $0.ended })

            @OptionGroup var target: UserTarget

            @Option(help: "The token's id; without it all end.")
            var token: String?

            @OptionGroup var admin: AdminOptions

            func validate() throws {
                if let token, APITokenID(token) == nil { throw ValidationError("--token must be an id") }
            }

            func run() async throws {
                let (users, owner) = try await target.find()
                guard try await users.overview(owner) != nil else { throw target.missing }
                let ended = try await users.revokeTokens(owner, token.flatMap { APITokenID($0) }, by: try admin.who())
                if token != nil, ended == 0 { throw CommandFailure("no API token of that account has this id") }
                Self.form.show((owner.user, ended), json: admin.json, or: "\(owner.user): \(ended) ended")
            }
        }
    }
}
