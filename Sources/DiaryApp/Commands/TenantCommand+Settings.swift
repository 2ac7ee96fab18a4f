import ArgumentParser
import DiaryCore
import DiaryDatabase

extension TenantCommand {
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the settings a tenant may have: what is allowed, what holds without one, and what is set for an app.",
            discussion: "Without a slug it needs no database. Defaults are those of the service's settings in this environment.")

        @Argument(help: "The app whose settings are shown beside the defaults.")
        var slug: String?

        @Flag(help: "Print JSON: [\(TenantSettingsReport.form.shape)]; value is what is set for the app.")
        var json = false

        func run() async throws {
            var configuration: TenantConfiguration?
            if let slug { configuration = try await TenantCommand.tenant(slug).configuration }
            try TenantSettingsReport(configuration: configuration, environment: .process).show(json: json)
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Changes a tenant's settings, all of them or none.",
            discussion: """
                diary tenant set my-day limits.entries_per_day=200 flags.new_player=true
                diary tenant set my-day prompts.en="$(cat prompts.txt)"

                mail.provider without mail.secret, or with a secret that is not set, is written all the same, with a warning on standard \
                error: mail waits until it is set.
                """)

        @Argument var slug: String

        @Argument(help: "name=value; `diary tenant settings` lists the names.")
        var settings: [String] = []

        @Option(help: "The app's name.")
        var name: String?

        @Option(help: "The sender's name in mails.")
        var mailFromName: String?

        @Option(help: "Sender address of the app's mails.")
        var mailFrom: String?

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            guard !settings.isEmpty || name != nil || mailFrom != nil || mailFromName != nil else {
                throw ValidationError("nothing to change: give name=value, --name, --mail-from-name or --mail-from")
            }
            try TenantTexts(name: name, mailFromName: mailFromName, mailFrom: mailFrom).check()
            _ = try configured()
        }

        func run() async throws {
            let configured = try configured()
            try await TenantCommand.checkHosts(configured, of: slug)
            let tenant = try await TenantCommand.change(
                slug, TenantChange(name: name, mailFromName: mailFromName, mailFromAddress: mailFrom, configured: configured), .changed,
                admin)
            if configured.text(.mailProvider) != nil || configured.text(.mailSecret) != nil {
                try await TenantCommand.noteMailSecret(of: tenant)
            }
        }

        private func configured() throws -> TenantConfiguration {
            var configuration = TenantConfiguration()
            for setting in settings {
                let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, let name = parts.first, let value = parts.last else {
                    throw ValidationError("\(setting): must be name=value")
                }
                do { try configuration.set(name, to: value) } catch { throw ValidationError("\(error)") }
            }
            return configuration
        }
    }

    struct Unset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes settings: the service's own apply again.",
            discussion:
                "A flag or list of prompts that the app does not have is refused, and nothing is removed then; a setting may be at its default."
        )

        @Argument var slug: String

        @Argument(help: "Names of settings.")
        var names: [String]

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            let free = [TenantConfiguration.flagPrefix, DailyPrompts.prefix]
            for name in names where TenantSetting.named(name) == nil && !free.contains(where: { name.hasPrefix($0) }) {
                throw ValidationError("\(name): no such setting; `diary tenant settings` lists them")
            }
        }

        func run() async throws {
            // Flags and prompts are in no catalogue: only the app's own tell a name from a misspelt one.
            let held = try await TenantCommand.tenant(slug).configuration.values
            for name in names where TenantSetting.named(name) == nil && held[name] == nil {
                throw CommandFailure("\(slug) has no \(name); `diary tenant settings \(slug)` lists what is set")
            }
            let tenant = try await TenantCommand.change(slug, TenantChange(unset: names), .changed, admin)
            if names.contains(TenantSetting.mailSecret.name) { try await TenantCommand.noteMailSecret(of: tenant) }
        }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Closes an app: it refuses sign-in and requests until it is resumed.",
            discussion:
                "Nothing is lost and no session ends: requests are answered with 403 app_suspended. Work that was accepted is finished.")

        @Argument var slug: String
        @OptionGroup var admin: AdminOptions

        func run() async throws { try await TenantCommand.change(slug, TenantChange(suspended: true), .suspended, admin) }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Opens a suspended app again.")

        @Argument var slug: String
        @OptionGroup var admin: AdminOptions

        func run() async throws { try await TenantCommand.change(slug, TenantChange(suspended: false), .resumed, admin) }
    }

    /// Changes the app and prints it.
    @discardableResult
    static func change(_ slug: String, _ change: TenantChange, _ kind: TenantAct.Kind, _ admin: AdminOptions) async throws -> Tenant {
        let tenant = try known(try await administration().change(slug, change, kind, by: try admin.who()), slug)
        await admin.announce()
        TenantReport.show(tenant, json: admin.json)
        return tenant
    }
}
