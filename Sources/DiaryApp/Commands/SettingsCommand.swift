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
            case .json: "Print JSON: [{name, group, type, default, required, secret, meaning}]."
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
        case .json: try CommandOutput.json(SettingsCatalogue.groups.flatMap(Row.rows))
        }
    }

    private struct Row: Encodable {
        let name: String
        let group: String
        let type: String
        /// In words when the default is not a literal value; left out when the setting is required.
        let `default`: String?
        let required: Bool
        let secret: String
        let meaning: String

        static func rows(_ group: SettingsGroup) -> [Row] {
            group.settings.map(\.declaration).map { setting in
                let isRequired = if case .required = setting.fallback { true } else { false }
                return Row(
                    name: setting.name, group: group.title, type: setting.form, default: isRequired ? nil : setting.fallbackText,
                    required: isRequired, secret: setting.secrecy.rawValue, meaning: setting.meaning)
            }
        }
    }
}
