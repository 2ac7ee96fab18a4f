import WireFormats

extension JSONValue {
    /// A finite number, also as a text.
    var double: Double? {
        let spelling: String
        switch self {
        case .number(let number): spelling = number
        case .string(let text) where text.utf8.count <= 40: spelling = text
        default: return nil
        }
        guard let number = Double(spelling), number.isFinite else { return nil }
        return number
    }

    /// A whole number of 0 … 10⁹: larger counts are a mistake.
    var count: Int? { double.flatMap { Int(exactly: min(max(0, $0), 1e9).rounded()) } }
}
