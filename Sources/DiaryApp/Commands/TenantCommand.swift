import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials
import Logging

struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Makes, configures, suspends, exports and erases the apps of this service.",
        discussion:
            "Connects as diary_admin. Running services see a change at once when DIARY_REDIS_URL is set here, else within 5 seconds.",
        subcommands: [
            Create.self, List.self, Show.self, Settings.self, Change.self, Unset.self, Default.self, SignIn.self, Suspend.self, Resume.self,
            Engine.self, Secret.self, MailTemplate.self, Acts.self, Usage.self, Export.self, Erase.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a tenant.",
            discussion: """
                A template sets what apps of its kind ask for; `diary tenant show` has it then, and `diary tenant set` changes it.

                \(AppTemplate.help)
                """)

        @Argument(help: "What the Diary-App header names: 3 to 40 of a-z, 0-9 and -.")
        var slug: String

        @Option(help: "The app's name in mails.")
        var name: String

        @Option(help: "Sender address of the app's mails.")
        var mailFrom: String

        @Option(help: "What the app begins with; none: the service's own settings.")
        var template: AppTemplate?

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            let allowed = slug.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D }
            guard allowed, (3...40).contains(slug.utf8.count), let first = slug.utf8.first, first >= 0x61, slug.utf8.last != 0x2D else {
                throw ValidationError("slug must be 3 to 40 of a-z, 0-9 and -, begin with a letter and not end with -")
            }
            try TenantTexts(name: name, mailFrom: mailFrom).check()
        }

        func run() async throws {
            var configuration = TenantConfiguration()
            if let template { configuration = try template.configuration() }
            let tenant = Tenant(
                id: TenantID(UUIDv7.make()), slug: slug, name: name, mailFromName: name, mailFromAddress: mailFrom, createdAt: Date(),
                suspendedAt: nil, configuration: configuration)
            let administration = try TenantCommand.administration()
            let only = try await Self.onlyApp(of: administration, beside: slug)
            // Before the second app is there: no request without Diary-App is refused in between.
            if let only { _ = try await administration.setDefault(only.slug, true, by: try admin.who()) }
            guard try await administration.create(tenant, by: try admin.who()) else { throw CommandFailure("the slug \(slug) is taken") }
            await admin.announce()
            TenantReport.form.show([tenant], json: admin.json)
            CommandOutput.note("clients send `Diary-App: \(slug)`" + (template.map { "; their calls: docs/apps/\($0.name).md" } ?? ""))
            if let only {
                CommandOutput.note(
                    "\(only.slug) is the default now, so that requests without Diary-App stay with it: see `diary tenant default --help`")
            }
        }

        /// The only app until now, which requests that name none are for; nil where it is marked as the default already.
        private static func onlyApp(of administration: PostgresTenantAdministration, beside slug: String) async throws -> Tenant? {
            let all = try await administration.all()
            guard all.count == 1, let only = all.first, only.slug != slug, !only.isDefault else { return nil }
            return only
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tenants.")

        @Flag(help: "Print JSON: [\(TenantReport.form.shape)].")
        var json = false

        func run() async throws { TenantReport.form.show(try await TenantCommand.administration().all(), json: json) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows a tenant with everything set for it.")

        @Argument var slug: String

        @Flag(help: "Print JSON: \(TenantReport.form.shape).")
        var json = false

        func run() async throws { TenantReport.show(try await TenantCommand.tenant(slug), json: json) }
    }

    struct Acts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists operators' changes to a tenant and to its accounts, newest first.",
            discussion: "Acts on accounts do not name the account.")

        /// In place of a slug, which cannot be this: `jobs pause` and `jobs resume` of all apps.
        private static let allApps = "*"

        @Argument(help: "The tenant's slug, or '*' for acts on all apps at once, such as `diary jobs pause` without --tenant.")
        var slug: String

        @Option(help: "The largest number of acts.")
        var limit = 50

        @Flag(help: "Print JSON: [\(TenantReport.acts.shape)].")
        var json = false

        func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
        }

        func run() async throws {
            let acts = try await TenantCommand.administration().acts(on: slug, limit: limit)
            // The acts of an erased app stay.
            if acts.isEmpty, slug != Self.allApps { _ = try await TenantCommand.tenant(slug) }
            TenantReport.acts.show(acts, json: json)
        }
    }

    static func administration() throws -> PostgresTenantAdministration { PostgresTenantAdministration(pool: try AdminDatabase.pool()) }

    static func tenant(_ slug: String) async throws -> Tenant {
        try known(try await administration().all().first { $0.slug == slug }, slug)
    }

    /// - Parameter value: nil when there is no such tenant.
    static func known<Value>(_ value: Value?, _ slug: String) throws -> Value {
        guard let value else { throw CommandFailure("there is no tenant \(slug); `diary tenant list` lists them") }
        return value
    }
}
