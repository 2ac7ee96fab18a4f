/// A setting is missing or not acceptable. Names the setting, never its value: values may be secrets.
struct SettingsError: Error, CustomStringConvertible {
    let name: String
    let reason: String

    init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }

    var description: String { "setting \(name): \(reason)" }
}
