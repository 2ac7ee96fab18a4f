/// Settings that the documents list together.
struct SettingsGroup: Sendable {
    let title: String
    /// Lines of advice for `.env.example`.
    var notes: [String] = []
    let settings: [any DeclaredSetting]
}
