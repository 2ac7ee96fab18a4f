import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials
import Logging

struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Makes and lists the apps this server carries.",
        subcommands: [Create.self, List.self, SignIn.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a tenant.")

        @Argument(help: "What the Diary-App header names: 3 to 40 of a-z, 0-9 and -.")
        var slug: String

        @Option(help: "The app's name, as mails have it.")
        var name: String

        @Option(help: "Sender address of the app's mails.")
        var mailFrom: String

        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            let allowed = slug.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D }
            guard allowed, (3...40).contains(slug.utf8.count), let first = slug.utf8.first, first >= 0x61, slug.utf8.last != 0x2D else {
                throw ValidationError("slug must be 3 to 40 of a-z, 0-9 and -, begin with a letter and not end with -")
            }
            guard (1...100).contains(name.count) else { throw ValidationError("--name must be 1 to 100 characters") }
            guard MailAddress(sender: mailFrom) != nil else { throw ValidationError("--mail-from must be a mail address") }
        }

        func run() async throws {
            let tenant = Tenant(
                id: TenantID(UUIDv7.make()), slug: slug, name: name, mailFromName: name, mailFromAddress: mailFrom, createdAt: Date(),
                suspendedAt: nil)
            guard try await TenantCommand.administration().create(tenant) else { throw ValidationError("the slug \(slug) is taken") }
            try TenantCommand.show([tenant], json: json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tenants.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws { try TenantCommand.show(try await TenantCommand.administration().all(), json: json) }
    }

    static func administration() throws -> PostgresTenantAdministration {
        let database = try DatabaseSettings(Environment.process)
        let logger = Logger(label: "diary-tenant")
        return PostgresTenantAdministration(pool: try ConnectionPool(.init(connection: database.main(as: .admin), size: 1), logger: logger))
    }

    private struct Row: Encodable {
        let id: String
        let slug: String
        let name: String
        let mail_from: String
    }

    private static func show(_ tenants: [Tenant], json: Bool) throws {
        if json {
            let rows = tenants.map { Row(id: $0.id.description, slug: $0.slug, name: $0.name, mail_from: $0.mailFromAddress) }
            print(String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
        } else {
            for tenant in tenants { print("\(tenant.slug)  \(tenant.id)  \(tenant.name)") }
        }
    }
}
