import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

extension TenantCommand {
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret", abstract: "Keeps the keys of an app's engines and of its mail provider, sealed under the master key.",
            discussion: """
                printf %s "$KEY" | diary tenant secret set my-day openai-key

                No command shows a value. `diary keys rewrap` seals them under a new master key.
                """,
            subcommands: [Set.self, List.self, Unset.self])

        struct Set: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Sets a secret to what comes on standard input; a line end at its end does not count.",
                discussion: "Reads DIARY_MASTER_KEYS and compares it with the key database.")

            @Argument(help: "The tenant's slug.")
            var slug: String

            @Argument(help: "The secret's name, as an engine's --secret or the setting mail.secret names it: up to 40 of a-z, 0-9 and -.")
            var name: String

            @Argument(help: .hidden)
            var value: [String] = []

            @OptionGroup var admin: AdminOptions

            /// Never repeats what was given.
            func validate() throws {
                guard value.isEmpty else {
                    throw ValidationError(
                        """
                        a secret is read from standard input, never from an argument: \(Secret.example(slug, name)). Other users of this machine \
                        can read arguments, and shells keep them: if that was the key, make a new one
                        """)
                }
                guard EngineSettings.isName(name) else {
                    throw ValidationError("the name must be 1 to 40 of a-z, 0-9 and -, and begin with a letter")
                }
            }

            func run() async throws {
                let value = try SecretInput.read(orGive: Secret.example(slug, name))
                let masters = try Environment.process.read(KeySettings.masters)
                try await KeyVerification.run(.process, masters: masters)
                let tenant = try await TenantCommand.tenant(slug)
                let secret = try StoredAppSecret(sealing: value, name, of: tenant.id, under: masters, at: Date())
                try await Engine.administration().set(secret, by: try admin.who())
                await admin.announce()
                Secret.done.show((name, true), json: admin.json, or: "\(name) is set for \(slug)")
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists the names of an app's secrets and when they were set.")

            @Argument(help: "The tenant's slug.")
            var slug: String

            private static let form = ReportForm<(secret: AppSecretEntry, users: [String])>(
                .field("name") { $0.secret.name },
                .field("set_at") { $0.secret.setAt },
                .field("master", column: "wrapped by") { $0.secret.masterID },
                .member("used_by") { $0.users },
                .column("used by") { $0.users.joined(separator: ", ") })

            @Flag(help: "Print JSON: [\(Self.form.shape)].")
            var json = false

            func run() async throws {
                let administration = try Engine.administration()
                let secrets = try TenantCommand.known(try await administration.secrets(of: slug), slug)
                let engines = try await administration.engines(of: slug) ?? []
                let mail = try await TenantCommand.tenant(slug).configuration.mailService
                let rows = secrets.map { secret in
                    let asked = engines.filter { $0.secret == secret.name }.map { "\($0.stage.rawValue) \($0.name)" }
                    return (secret: secret, users: asked + (mail?.secret == secret.name ? ["mail"] : []))
                }
                Self.form.show(rows, json: json)
            }
        }

        struct Unset: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Removes a secret; engines that name it are passed over, and mail waits, until it is set again.")

            @Argument(help: "The tenant's slug.")
            var slug: String

            @Argument(help: "The secret's name.")
            var name: String

            @OptionGroup var admin: AdminOptions

            func run() async throws {
                let administration = try Engine.administration()
                guard try await administration.unset(secret: name, of: slug, by: try admin.who()) else {
                    throw CommandFailure("\(slug) has no secret \(name); `diary tenant secret list \(slug)` lists them")
                }
                await admin.announce()
                let users = try await administration.engines(of: slug)?.filter { $0.secret == name } ?? []
                Secret.done.show((name, false), json: admin.json, or: "\(name) is removed from \(slug)")
                if !users.isEmpty {
                    CommandOutput.note(
                        "without it these are passed over: \(users.map { "\($0.stage.rawValue) \($0.name)" }.joined(separator: ", "))")
                }
            }
        }

        private static let done = ReportForm<(name: String, isSet: Bool)>(.member("name") { $0.name }, .member("set") { $0.isSet })

        static func example(_ slug: String, _ name: String) -> String { "printf %s \"$KEY\" | diary tenant secret set \(slug) \(name)" }
    }
}

extension TenantCommand {
    /// Says on standard error what keeps the app's mail from leaving by its own provider.
    static func noteMailSecret(of tenant: Tenant) async throws {
        let secrets = try await Engine.administration().secrets(of: tenant.slug) ?? []
        if let note = mailSecretNote(tenant.configuration, of: tenant.slug, secrets: Swift.Set(secrets.map(\.name))) {
            CommandOutput.note(note)
        }
    }

    /// - Parameter secrets: names of those that are set for the app.
    /// - Returns: nil when nothing is missing.
    static func mailSecretNote(_ configuration: TenantConfiguration, of slug: String, secrets: Swift.Set<String>) -> String? {
        let provider = configuration.text(.mailProvider)
        guard let secret = configuration.text(.mailSecret) else {
            guard let provider else { return nil }
            return """
                mail.secret is not set, and mail of \(slug) waits until it names the key for \(provider): \(Secret.example(slug, "NAME")), \
                then diary tenant set \(slug) mail.secret=NAME
                """
        }
        guard !secrets.contains(secret) else { return nil }
        let effect = provider == nil ? "" : ", and mail of \(slug) waits until it is"
        return "the secret \(secret) is not set\(effect): \(Secret.example(slug, secret))"
    }
}
