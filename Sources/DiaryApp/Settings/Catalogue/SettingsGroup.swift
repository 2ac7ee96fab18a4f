/// Settings that the documents list together.
struct SettingsGroup: Sendable {
    let title: String
    /// Lines of advice for `.env.example`.
    var notes: [String] = []
    let settings: [any DeclaredSetting]
    /// Settings that exist in debug builds only, for tests: read like the others, and in no document.
    var debugBuilds: [any DeclaredSetting] = []
}
