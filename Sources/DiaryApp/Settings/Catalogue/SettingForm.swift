import DiaryCrypto
import FoundationEssentials
import WireFormats

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

/// Writes numbers for tables and settings.
enum Figures {
    /// With commas between thousands.
    static func text(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var grouped = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
            grouped.append(digit)
        }
        return grouped
    }

    /// Whole numbers without a point.
    static func text(_ number: Double) -> String { Int(exactly: number).map { text($0) } ?? String(number) }

    /// The number as it would be written into a setting.
    static func plain(_ number: Double) -> String { Int(exactly: number).map { String($0) } ?? String(number) }
}

extension SettingForm where Value == String {
    /// A region of AWS, or what a compatible service takes for one.
    static let region = SettingForm("text", fault: "must be letters, digits and hyphens") { text in
        (1...64).contains(text.utf8.count) && PercentEncoding.encode(text.utf8) == text ? text : nil
    }

    /// The id of the key that signs.
    static let accessKey = SettingForm("text", fault: "must be 1 to 256 visible ASCII characters without a slash") { text in
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") } ? text : nil
    }
}
