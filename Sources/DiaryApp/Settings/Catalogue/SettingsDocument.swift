import DiaryCore

/// The catalogue as text: the table of docs/configuration.md, `.env.example`, and what `diary settings` prints.
enum SettingsDocument {
    /// The table between the marks of docs/configuration.md.
    static var markdown: String {
        let rows = SettingsCatalogue.all.map { setting in
            let fallback =
                switch setting.fallback {
                case .value(let text): Int(text).map { Figures.text($0) } ?? "`\(text)`"
                case .required, .words: setting.fallbackText
                }
            return line(["`\(setting.name)`", setting.form, fallback, setting.secrecy.rawValue, setting.meaning])
        }
        return ([line(["Name", "Type", "Default", "Secret", "Meaning"]), "|---|---|---|---|---|"] + rows).map { $0 + "\n" }.joined()
    }

    /// `.env.example`.
    static var example: String {
        let head = """
            # Settings of all commands but `diary dev`, which needs none. `diary settings --env` prints this file.
            # NAME_FILE=/path may stand for every NAME: the file's content is the value. Use it for secrets.

            """
        return head + SettingsCatalogue.groups.map { "\n" + example(of: $0) }.joined()
    }

    /// Names, types, defaults and meanings.
    static var plain: String {
        SettingsCatalogue.groups.map { group in
            group.title + "\n"
                + group.settings.map(\.declaration).map { setting in
                    "  \(setting.name)  \(bare(setting.form)); \(setting.defaultPhrase)\n      \(bare(setting.meaning))\n"
                }.joined()
        }.joined(separator: "\n")
    }

    private static func example(of group: SettingsGroup) -> String {
        let title = "## \(group.title)\n"
        let notes = group.notes.map { "# \($0)\n" }.joined()
        let lines = group.settings.map(\.declaration).map { setting in
            "# \(bare(setting.meaning)) (\(bare(setting.form)); \(setting.defaultPhrase))\n\(setting.exampleLine)\n"
        }
        return title + notes + lines.joined()
    }

    private static func line(_ cells: [String]) -> String { "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() }

    fileprivate static func bare(_ text: String) -> String { text.filter { $0 != "`" } }
}

extension SettingDeclaration {
    /// The default in words or as a text that could be written.
    var fallbackText: String {
        switch fallback {
        case .required: "required"
        case .value(let text), .words(let text): text
        }
    }

    fileprivate var defaultPhrase: String {
        switch fallback {
        case .required: "required"
        case .value(let text): "default \(text)"
        case .words(let text): text.hasPrefix("required") ? SettingsDocument.bare(text) : "default: \(SettingsDocument.bare(text))"
        }
    }

    fileprivate var exampleLine: String {
        switch example {
        case .set(let text): "\(name)=\(text)"
        case .comment(let text): "#\(name)=\(text)"
        case .file(let path): "#\(name)_FILE=\(path)"
        case nil: if case .value(let text) = fallback { "#\(name)=\(text)" } else { "#\(name)=" }
        }
    }
}

/// The rate limits as the table of docs/reference.md.
enum RateLimitDocument {
    static var markdown: String {
        let rows = RatePolicies.standard.declared.map { row in
            let limit =
                switch row.policy.shape {
                case .rate(let limit, let window, let burst): "\(limit) in \(window) s, \(burst) at once"
                case .quota(let limit, let window): window == 86_400 ? "\(limit) a day (UTC)" : "\(limit) in \(window) s"
                case .backoff(let free, let first, let longest):
                    "\(free) at once, then a wait of \(first) s that doubles, up to \(longest) s"
                }
            let subject =
                switch row.subject {
                case .member: "user"
                case .address: "client address"
                case .account: "account"
                }
            let setting = row.setting.map { "`\($0.name)`" } ?? ""
            return "| `\(row.policy.name)` | \(row.meaning) | \(limit) | \(subject) |\(setting.isEmpty ? "" : " \(setting)") |\n"
        }
        return "| Limit | Counts | Default | Per | Setting of an app |\n|---|---|---|---|---|\n" + rows.joined()
    }
}
