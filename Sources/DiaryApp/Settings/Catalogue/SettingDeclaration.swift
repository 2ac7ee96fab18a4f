/// The documentation of a setting. Texts are Markdown of one line; outside Markdown their backticks are left out.
struct SettingDeclaration: Sendable {
    enum Fallback: Sendable {
        case required
        /// A text that could be set.
        case value(String)
        /// What happens without it, in words.
        case words(String)
    }

    enum Secrecy: String, Sendable {
        case open = ""
        case withPassword = "if it has a password"
        case secret = "yes"
    }

    /// How `.env.example` shows it.
    enum Example: Sendable {
        /// As an active line.
        case set(String)
        /// As a comment.
        case comment(String)
        /// As a comment, read from a file.
        case file(String)
    }

    let name: String
    /// The form that its text must have.
    let form: String
    let fallback: Fallback
    let secrecy: Secrecy
    let meaning: String
    /// nil: a comment with the default.
    let example: Example?
}

/// Settings that the documents list together.
struct SettingsGroup: Sendable {
    let title: String
    /// Lines of advice for `.env.example`.
    var notes: [String] = []
    let settings: [any DeclaredSetting]
    /// Settings that exist in debug builds only, for tests: read like the others, and in no document.
    var debugBuilds: [any DeclaredSetting] = []
}

/// Every setting of the service. `Environment` reads no other, so one that is missing here fails at its first use.
enum SettingsCatalogue {
    static let groups = [
        Settings.network, DatabaseSettings.group, Settings.folders, ObjectSettings.group, MailSettings.group, KeySettings.group,
        IdentityProviderSettings.group,
        MediaSettings.group, LimitSettings.group, Settings.log,
    ]
    /// The settings that the documents list.
    static let all = groups.flatMap { $0.settings.map(\.declaration) }
    /// The names that `Environment` reads.
    static let names = Set(groups.flatMap { $0.settings + $0.debugBuilds }.map(\.name))
}
