import WireFormats

extension JSONValue {
    /// A finite number.
    var double: Double? {
        guard case .number(let spelling) = self, let number = Double(spelling), number.isFinite else { return nil }
        return number
    }

    /// A whole number of 0 … 10⁹: larger counts are a mistake.
    var count: Int? { double.flatMap { Int(exactly: min(max(0, $0), 1e9).rounded()) } }
}
