import DiaryCrypto
import FoundationEssentials

/// The form that the text of a setting must have, and how the text becomes a value.
struct SettingForm<Value: Sendable>: Sendable {
    /// Why a text is refused. Never repeats the text, which may be a secret.
    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    let text: String
    let parse: @Sendable (String) throws(Fault) -> Value

    init(_ text: String, parse: @escaping @Sendable (String) throws(Fault) -> Value) {
        self.text = text
        self.parse = parse
    }

    /// - Parameters:
    ///   - fault: why a text is refused.
    ///   - value: nil refuses it.
    init(_ text: String, fault: String, value: @escaping @Sendable (String) -> Value?) {
        self.init(text) { text throws(Fault) in
            guard let value = value(text) else { throw Fault(fault) }
            return value
        }
    }
}

extension SettingForm where Value == String {
    /// Any text. - Parameter form: what it should be; not checked here.
    static func text(_ form: String) -> Self { Self(form) { $0 } }
}

extension SettingForm where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> Self {
        Self(
            "\(Figures.text(range.lowerBound)) … \(Figures.text(range.upperBound))",
            fault: "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension SettingForm where Value == Double {
    static func seconds(_ range: ClosedRange<Double>) -> Self {
        Self(
            "\(Figures.text(range.lowerBound)) … \(Figures.text(range.upperBound))",
            fault: "must be a number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension SettingForm where Value: RawRepresentable<String> & CaseIterable {
    /// - Parameter documented: the values that the documents list; debug builds may take more.
    static func choice(documented: [Value] = Array(Value.allCases)) -> Self {
        let names = Value.allCases.map(\.rawValue)
        let quoted = documented.map { "`\($0.rawValue)`" }
        let all = [quoted.dropLast().joined(separator: ", "), quoted.last ?? ""].filter { !$0.isEmpty }
        return Self(all.joined(separator: " or "), fault: "must be one of \(names.joined(separator: ", "))") { Value(rawValue: $0) }
    }
}

extension SettingForm where Value == SecretBytes {
    /// Credentials that are sent in a header or sign one.
    static func visibleBytes(_ most: Int) -> Self {
        Self("text", fault: "must be 1 to \(most) visible ASCII characters") { text in
            let bytes = Array(text.utf8)
            return (1...most).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) } ? SecretBytes(bytes) : nil
        }
    }

    static var secretBytes: Self {
        Self("base64, at least 32 bytes", fault: "must be at least 32 bytes in base64") { text in
            guard let data = Data(base64Encoded: text), data.count >= 32 else { return nil }
            return SecretBytes(Array(data))
        }
    }
}
