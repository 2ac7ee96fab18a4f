/// A setting is missing or not acceptable. Names the setting, never its value: values may be secrets.
struct SettingsError: Error, Equatable, CustomStringConvertible {
    let name: String
    let reason: String

    init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }

    init(_ setting: any DeclaredSetting, _ reason: String) { self.init(setting.name, reason) }

    var description: String { "setting \(name): \(reason)" }
}
