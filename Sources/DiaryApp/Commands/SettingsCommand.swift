import ArgumentParser

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Lists the settings of the environment: name, type, default, meaning. Reads none of them.",
        discussion: "The table of docs/configuration.md, .env.example and the table of rate limits in docs/reference.md are printed by it.")

    enum Format: EnumerableFlag {
        case markdown, env, json, rateLimits

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .markdown: "As the table of docs/configuration.md."
            case .env: "As .env.example."
            case .json: "Print JSON: [\(SettingsCommand.form.shape)]."
            case .rateLimits: "The rate limits instead, as the table of docs/reference.md."
            }
        }
    }

    @Flag var format: Format?

    func run() throws {
        switch format {
        case nil: print(SettingsDocument.plain, terminator: "")
        case .markdown: print(SettingsDocument.markdown, terminator: "")
        case .env: print(SettingsDocument.example, terminator: "")
        case .rateLimits: print(RateLimitDocument.markdown, terminator: "")
        case .json:
            let rows = SettingsCatalogue.groups.flatMap { group in
                group.settings.map { (group: group.title, setting: $0.declaration) }
            }
            Self.form.show(rows, json: true)
        }
    }

    private static let form = ReportForm<(group: String, setting: SettingDeclaration)>(
        .member("name") { $0.setting.name },
        .member("group") { $0.group },
        .member("type") { $0.setting.form },
        // In words when the default is not a literal value; left out when the setting is required.
        .member("default") { SettingsCommand.isRequired($0.setting) ? nil : $0.setting.fallbackText },
        .member("required") { SettingsCommand.isRequired($0.setting) },
        .member("secret") { $0.setting.secrecy.rawValue },
        .member("meaning") { $0.setting.meaning })

    private static func isRequired(_ setting: SettingDeclaration) -> Bool { if case .required = setting.fallback { true } else { false } }
}
