import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryMail
import FoundationEssentials

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Tries how mail leaves, shows how it looks, and lists addresses that get none.",
        subcommands: [Test.self, Preview.self, Suppressions.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a mail to an address, as workers would: by the app's own provider, or as the settings say.",
            discussion: """
                Says what the server answered. Accepted is not yet delivered: look whether it arrives, and not as spam. Connects as diary_admin to read \
                the app, and for a provider of its own as diary_worker, with DIARY_MASTER_KEYS for its secret.
                """)

        @Argument(help: "Where to send it.")
        var address: String

        @Option(help: "The app whose sender and provider are used, by its slug; needed when there are several.")
        var tenant: String?

        private static let form = ReportForm<(service: String, from: String, id: MailID)>(
            .member("sent_by") { $0.service }, .member("from") { $0.from }, .member("message_id") { $0.id.description })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func validate() throws {
            guard MailAddress(address) != nil else { throw ValidationError("must be a mail address") }
        }

        func run() async throws {
            let app = try await MailCommand.app(tenant)
            let id = MailID(UUIDv7.make())
            let message = TestMail(app: app).message(id: id, to: address)
            let service: String
            do {
                service = try await MailTrial(app: app, environment: .process).send(message)
            } catch let failed as MailTrial.Failed {
                throw CommandFailure("\(failed.service) did not take the mail from \(app.mailFromAddress): \(failed.failure.advice)")
            }
            Self.form.show(
                (service, app.mailFromAddress, id), json: json,
                or: "\(service) has taken the mail from \(app.mailFromAddress); see whether it arrives")
        }
    }

    /// The named app, or the only one.
    static func app(_ slug: String?) async throws -> Tenant {
        if let slug { return try await TenantCommand.tenant(slug) }
        let all = try await TenantCommand.administration().all()
        guard let only = all.first, all.count == 1 else {
            throw CommandFailure(
                all.isEmpty
                    ? "there is no app yet; `diary tenant create` makes one"
                    : "there are several apps: name the one that is meant with --tenant")
        }
        return only
    }

    static func administration() throws -> PostgresMailAdministration { PostgresMailAdministration(pool: try AdminDatabase.pool()) }
}

extension MailFailure {
    fileprivate var advice: String {
        switch self {
        case .unavailable: "\(self) (workers would try again)"
        case .misconfigured: "\(self) (this is for you to mend: workers would go on trying, and log an error each time)"
        case .refused: "\(self) (workers would give the mail up)"
        }
    }
}
