/// A setting whose value may have any type, for the catalogue.
protocol DeclaredSetting: Sendable {
    var declaration: SettingDeclaration { get }
    /// - Throws: when the setting is required and missing, or its value is not acceptable.
    func check(_ environment: Environment) throws(SettingsError)
}

extension DeclaredSetting {
    var name: String { declaration.name }
}

/// One setting: its documentation, and how its text becomes a value. `Environment.read` reads it.
struct Setting<Value: Sendable>: DeclaredSetting {
    let declaration: SettingDeclaration
    /// - Parameter text: nil when it is not set.
    let value: @Sendable (_ text: String?) throws(SettingsError) -> Value

    func check(_ environment: Environment) throws(SettingsError) { _ = try environment.read(self) }
}

extension Setting {
    static func required(
        _ name: String, _ form: SettingForm<Value>, secrecy: SettingDeclaration.Secrecy = .open, _ meaning: String,
        example: SettingDeclaration.Example? = nil
    ) -> Setting {
        Setting(
            declaration: SettingDeclaration(
                name: name, form: form.text, fallback: .required, secrecy: secrecy, meaning: meaning, example: example)
        ) { text throws(SettingsError) in
            guard let text else { throw SettingsError(name, "is required") }
            return try Self.parse(text, form, name)
        }
    }

    /// - Parameter without: what happens when it is not set, in words.
    static func optional<Wrapped: Sendable>(
        _ name: String, _ form: SettingForm<Wrapped>, without: String = "none", secrecy: SettingDeclaration.Secrecy = .open,
        _ meaning: String, example: SettingDeclaration.Example? = nil
    ) -> Setting where Value == Wrapped? {
        Setting(
            declaration: SettingDeclaration(
                name: name, form: form.text, fallback: .words(without), secrecy: secrecy, meaning: meaning, example: example)
        ) { text throws(SettingsError) in
            guard let text else { return nil }
            return try Setting<Wrapped>.parse(text, form, name)
        }
    }

    /// - Parameters:
    ///   - fallback: the text that is used when it is not set.
    ///   - words: what the documents show instead of that text.
    static func defaulted(
        _ name: String, _ form: SettingForm<Value>, default fallback: String, words: String? = nil, _ meaning: String,
        example: SettingDeclaration.Example? = nil
    ) -> Setting {
        Setting(
            declaration: SettingDeclaration(
                name: name, form: form.text, fallback: words.map { .words($0) } ?? .value(fallback), secrecy: .open, meaning: meaning,
                example: example)
        ) { text throws(SettingsError) in try Self.parse(text ?? fallback, form, name) }
    }

    fileprivate static func parse(_ text: String, _ form: SettingForm<Value>, _ name: String) throws(SettingsError) -> Value {
        do throws(SettingForm<Value>.Fault) { return try form.parse(text) } catch { throw SettingsError(name, error.reason) }
    }
}

extension Setting where Value == Int {
    static func whole(_ name: String, _ range: ClosedRange<Int>, default fallback: Int, _ meaning: String) -> Setting {
        .defaulted(name, .whole(range), default: String(fallback), meaning)
    }
}

extension Setting where Value == Double {
    static func seconds(_ name: String, _ range: ClosedRange<Double>, default fallback: Double, _ meaning: String) -> Setting {
        .defaulted(name, .seconds(range), default: Figures.plain(fallback), meaning)
    }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
    /// - Parameter documented: the values that the documents list; debug builds may take more.
    static func choice(
        _ name: String, default fallback: Value, documented: [Value] = Array(Value.allCases), _ meaning: String
    ) -> Setting {
        .defaulted(name, .choice(documented: documented), default: fallback.rawValue, meaning)
    }
}
