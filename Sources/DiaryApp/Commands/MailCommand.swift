import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryMail
import FoundationEssentials

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Tries the mail server.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a mail to an address, as workers would: by the mail server or outbox of the settings, from an app's sender.",
            discussion: """
                Says what the server answered. Accepted is not yet delivered: look whether it arrives, and not as spam. Connects as diary_admin to read \
                the app.
                """)

        @Argument(help: "Where to send it.")
        var address: String

        @Option(help: "The app whose sender is used, by its slug; needed when there are several.")
        var tenant: String?

        @Flag(help: "Print JSON: {sent_by, from, message_id}.")
        var json = false

        func validate() throws {
            guard MailAddress(address) != nil else { throw ValidationError("must be a mail address") }
        }

        func run() async throws {
            let settings = try MailSettings(.process)
            let app = try await app()
            let id = MailID(UUIDv7.make())
            let message = TestMail(appName: app.name).message(
                id: id, fromName: app.mailFromName, fromAddress: app.mailFromAddress, to: address)
            do throws(MailFailure) {
                try await Self.transport(settings).send(message)
            } catch {
                throw CommandFailure("\(settings) did not take the mail from \(app.mailFromAddress): \(error.reason)")
            }
            struct Sent: Encodable {
                let sent_by: String
                let from: String
                let message_id: String
            }
            if json {
                try CommandOutput.json(Sent(sent_by: settings.description, from: app.mailFromAddress, message_id: id.description))
            } else {
                print("\(settings) has taken the mail from \(app.mailFromAddress); see whether it arrives")
            }
        }

        private static func transport(_ settings: MailSettings) throws(MailFailure) -> any MailTransport {
            do { return try settings.transport() } catch let failure as MailFailure { throw failure } catch {
                throw .unavailable("\(error)")
            }
        }

        private func app() async throws -> Tenant {
            if let tenant { return try await TenantCommand.tenant(tenant) }
            let all = try await TenantCommand.administration().all()
            guard let only = all.first, all.count == 1 else {
                throw CommandFailure(
                    all.isEmpty
                        ? "there is no app yet; `diary tenant create` makes one"
                        : "there are several apps: name the one whose sender is used with --tenant")
            }
            return only
        }
    }
}

extension MailFailure {
    fileprivate var reason: String {
        switch self {
        case .unavailable(let reason): "\(reason) (workers would try again)"
        case .refused(let reason): "\(reason) (workers would give the mail up)"
        }
    }
}
