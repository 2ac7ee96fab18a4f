import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Shows, closes and erases accounts; never prints diary text or an address.",
        subcommands: [Show.self, Disable.self, Enable.self, Erase.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows an account: times and counts.")

        @OptionGroup var target: UserTarget

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let overview = try await users.overview(owner) else { throw target.missing }
            try UserReport.show(overview, of: owner, json: json)
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
            try TenantReport.print(json: Changed(id: owner.user.description, disabled: disabled))
        } else {
            print("\(owner.user): \(disabled ? "disabled" : "enabled")")
        }
    }
}

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Ends sessions.", subcommands: [Revoke.self])

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends one session of an account, or all of them, at once.")

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
            if session != nil, ended == 0 { throw ValidationError("no living session of that account has this id") }
            struct Ended: Encodable {
                let id: String
                let ended: Int
            }
            if admin.json {
                try TenantReport.print(json: Ended(id: owner.user.description, ended: ended))
            } else {
                print("\(owner.user): \(ended) ended")
            }
        }
    }
}

/// An account, by id or by address. The address is hashed here; only the hash leaves the process.
struct UserTarget: ParsableArguments {
    @Argument(help: "The app's slug.")
    var tenant: String

    @Argument(help: "The user's id, or the address they sign in with (needs DIARY_SERVICE_SECRET).")
    var user: String

    var missing: ValidationError { ValidationError("there is no such account in \(tenant)") }

    func find() async throws -> (PostgresUserAdministration, Owner) {
        let app = try await TenantCommand.tenant(tenant)
        let users = PostgresUserAdministration(pool: try AdminDatabase.pool())
        if let id = UserID(user) { return (users, Owner(tenant: app.id, user: id)) }
        guard let address = MailAddress(user) else { throw ValidationError("must be a user's id or a mail address") }
        let serviceKeys = ServiceKeys(secret: try Environment.process.read(KeySettings.serviceSecret))
        guard let id = try await users.user(address: serviceKeys.addressHash(address.normalised, tenant: app.id), in: app.id) else {
            throw missing
        }
        return (users, Owner(tenant: app.id, user: id))
    }
}

/// An account as `diary user show` prints it.
enum UserReport {
    private struct Row: Encodable {
        let id: String
        let created_at: String
        let disabled_at: String?
        let deleted_at: String?
        let ways_in: [String]
        let live_sessions: Int
        let last_used_at: String?
        let entries: Int
        let recording_bytes: Int64
        let exports: Int
        let waiting_jobs: Int
        let dead_jobs: Int
    }

    static func show(_ overview: UserOverview, of owner: Owner, json: Bool) throws {
        let row = Row(
            id: owner.user.description, created_at: overview.createdAt.formatted(.iso8601),
            disabled_at: overview.disabledAt?.formatted(.iso8601), deleted_at: overview.deletedAt?.formatted(.iso8601),
            ways_in: overview.signInMethods, live_sessions: overview.liveSessions, last_used_at: overview.lastUsedAt?.formatted(.iso8601),
            entries: overview.entries, recording_bytes: overview.recordingBytes, exports: overview.exports,
            waiting_jobs: overview.waitingJobs, dead_jobs: overview.deadJobs)
        if json { return try TenantReport.print(json: row) }
        print(
            "\(row.id)  \(row.deleted_at != nil ? "being erased" : row.disabled_at != nil ? "disabled since \(row.disabled_at ?? "")" : "open")"
        )
        print("  since         \(row.created_at)")
        print("  sign-in by    \(row.ways_in.isEmpty ? "none" : row.ways_in.joined(separator: ", "))")
        print("  sessions      \(row.live_sessions) living, last used \(row.last_used_at ?? "never")")
        print("  entries       \(row.entries), recordings of \(row.recording_bytes) bytes")
        print("  exports       \(row.exports)")
        print("  jobs          \(row.waiting_jobs) waiting, \(row.dead_jobs) given up")
    }
}
