import ArgumentParser
import DiaryCore
import DiaryDatabase

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Ends sessions.", subcommands: [Revoke.self])

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends one session of an account, or all of them, at once.", discussion: "JSON is \(Self.form.shape).")

        private static let form = ReportForm<(user: UserID, ended: Int)>(
            .member("id") { $0.user.description }, .member("ended") { $0.ended })

        @OptionGroup var target: UserTarget

        @Option(help: "The session's id; without it all end.")
        var session: String?

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            if let session, SessionID(session) == nil { throw ValidationError("--session must be an id") }
        }

        func run() async throws {
            let (users, owner) = try await target.find()
            guard try await users.overview(owner) != nil else { throw target.missing }
            let ended = try await users.revokeSessions(owner, session.flatMap { SessionID($0) }, by: try admin.who())
            if session != nil, ended == 0 { throw CommandFailure("no living session of that account has this id") }
            Self.form.show((owner.user, ended), json: admin.json, or: "\(owner.user): \(ended) ended")
        }
    }
}
