import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import FoundationEssentials

extension MailCommand {
    struct Suppressions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists and lifts what mail providers have reported of addresses.",
            discussion: "No address is stored: rows are told apart by a few bytes of a keyed hash.", subcommands: [List.self, Lift.self])

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists what is known of an app's addresses, the latest first.")

            @Option(help: "The app, by its slug; needed when there are several.")
            var tenant: String?

            @Option(help: "At most so many, up to 10000.")
            var limit = 100

            private static let form = ReportForm<MailSuppression>(
                .field("id") { $0.id },
                .field("reason") { $0.reason?.rawValue ?? "unknown" },
                .field("provider") { $0.provider },
                .field("happened_at") { $0.happenedAt },
                .field("noted_at") { $0.notedAt },
                .field("held_back") { List.effect($0.reason) })

            @Flag(help: "Print JSON: [\(Self.form.shape)].")
            var json = false

            func validate() throws {
                guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000") }
            }

            func run() async throws {
                let app = try await MailCommand.app(tenant)
                Self.form.show(try await MailCommand.administration().suppressions(of: app.slug, limit: limit), json: json)
            }

            private static func effect(_ reason: MailBounceReason?) -> String {
                switch reason {
                case .softBounce: "nothing"
                case .complaint: "exports and notices"
                case .hardBounce, .block, .invalidAddress, nil: "all but codes that verify the address"
                }
            }
        }

        struct Lift: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Sends mail to an address again.",
                discussion: """
                    printf %s anna@example.org | diary mail suppressions lift --tenant my-day

                    The address is hashed with DIARY_SERVICE_SECRET and neither stored nor logged. Lists of the provider are its own: lift the address \
                    there, too.
                    """)

            @Argument(help: "The address; without it, it is read from standard input.")
            var address: String?

            @Option(help: "The app, by its slug; needed when there are several.")
            var tenant: String?

            @OptionGroup var admin: AdminOptions

            func run() async throws {
                guard let to = MailAddress(try given()) else { throw CommandFailure("that is not a mail address") }
                let secret = try Environment.process.read(KeySettings.serviceSecret)
                try await KeyVerification.run(.process, secret: secret)
                let app = try await MailCommand.app(tenant)
                let hash = ServiceKeys(secret: secret).addressHash(to.normalised, tenant: app.id)
                guard try await MailCommand.administration().lift(hash, of: app.id, by: try admin.who()) else {
                    throw CommandFailure("nothing is known of that address in \(app.slug)")
                }
                ReportForm<Bool>(.member("lifted") { $0 }).show(true, json: admin.json, or: "mail to that address is sent again")
            }

            private func given() throws -> String {
                if let address { return address }
                let secret = try SecretInput.read(orGive: "printf %s \"$ADDRESS\" | diary mail suppressions lift")
                return String(decoding: secret.bytes(), as: UTF8.self)
            }
        }
    }
}
