import DiaryCrypto
import FoundationEssentials
import Glibc

/// Reads settings by name. `NAME_FILE` names a file that holds the value (systemd credentials, Docker secrets).
struct Environment: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    var names: [String] { Array(values.keys) }

    /// What is set, by itself or by its file, and for the rest these.
    func defaulting(to other: [String: String]) -> Environment {
        Environment(other.filter { values[$0.key + "_FILE"] == nil }.merging(values) { _, own in own })
    }

    func text(_ name: String) throws(SettingsError) -> String? {
        if let value = values[name], !value.isEmpty { return value }
        guard let path = values[name + "_FILE"], !path.isEmpty else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else { throw SettingsError(name + "_FILE", "the file cannot be read") }
        let text = String(decoding: data, as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    func required(_ name: String) throws(SettingsError) -> String {
        guard let value = try text(name) else { throw SettingsError(name, "is required") }
        return value
    }

    func integer(_ name: String, _ range: ClosedRange<Int>, default fallback: Int) throws(SettingsError) -> Int {
        guard let value = try text(name) else { return fallback }
        guard let number = Int(value), range.contains(number) else {
            throw SettingsError(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func seconds(_ name: String, _ range: ClosedRange<Double>, default fallback: Double) throws(SettingsError) -> Double {
        guard let value = try text(name) else { return fallback }
        guard let number = Double(value), range.contains(number) else {
            throw SettingsError(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String, default fallback: Value) throws(SettingsError) -> Value {
        guard let value = try text(name) else { return fallback }
        guard let known = Value(rawValue: value) else {
            throw SettingsError(name, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return known
    }

    /// At least 32 bytes in base64.
    func secret(_ name: String) throws(SettingsError) -> SecretBytes {
        guard let data = Data(base64Encoded: try required(name)), data.count >= 32 else {
            throw SettingsError(name, "must be at least 32 bytes in base64")
        }
        return SecretBytes(Array(data))
    }
}
