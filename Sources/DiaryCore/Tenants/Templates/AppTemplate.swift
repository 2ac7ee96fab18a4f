/// Settings that an app of one kind begins with (`diary tenant create --template`). They are the app's own from then on: what is changed
/// here later changes no app.
package struct AppTemplate: Sendable {
    /// What `--template` takes; the calls of such an app are in `docs/apps/<name>.md`.
    package let name: String
    /// One line of the command's help.
    package let about: String
    /// As `diary tenant set` takes them.
    package let settings: KeyValuePairs<String, String>

    /// In the order of the help. A template is one file and its name here.
    package static let all: [AppTemplate] = [myDay, toukan, meetings, cues, notes]

    /// nil when this version has no such template.
    package static func named(_ name: String) -> AppTemplate? { all.first { $0.name == name } }

    package func configuration() throws(TenantSettingError) -> TenantConfiguration {
        var made = TenantConfiguration()
        for (name, value) in settings { try made.set(name, to: value) }
        return made
    }
}
