/// Settings that are missing or not acceptable. Names them, never their values: these may be secrets.
struct SettingsError: Error, Equatable, CustomStringConvertible {
    let name: String
    let reason: String
    /// What else is wrong, so that one start names all of it.
    let others: [SettingsError]

    init(_ name: String, _ reason: String, others: [SettingsError] = []) {
        self.name = name
        self.reason = reason
        self.others = others
    }

    init(_ setting: any DeclaredSetting, _ reason: String) { self.init(setting.name, reason) }

    /// A line for each setting.
    var description: String {
        ([self] + others).map { "setting \($0.name): \($0.reason)" }.joined(separator: "\n")
    }
}
