package import FoundationEssentials
package import WireFormats

/// Why a value is refused, in words for the client.
package struct FieldFault: Error {
    package let detail: String
    /// A shorter one would do.
    package var isTooLong = false

    /// Names the values that there are, unless they are more than one reads.
    package static func notOne(of values: [String]) -> String {
        values.count > 12 ? "is not one of the known values" : "must be one of \(values.joined(separator: ", "))"
    }
}

/// One value of a request's body or of an import's list, read strictly. What is done about a fault is for the reader of the whole object: a
/// request collects all of them, an import gives up the entry at the first.
extension JSONValue {
    /// - Parameter max: in Unicode code points, as JSON Schema's `maxLength` counts.
    package func readText(max: Int, min: Int = 0) -> Result<String, FieldFault> {
        guard let text = string else { return .failure(FieldFault(detail: "must be a string")) }
        // Refused everywhere: PostgreSQL's text cannot hold it.
        guard !text.utf8.contains(0) else { return .failure(FieldFault(detail: "must not contain U+0000")) }
        // A code point has one to four bytes, so few texts need to be counted.
        let bytes = text.utf8.count
        let length = bytes <= max && bytes / 4 >= min ? bytes : text.unicodeScalars.count
        guard length <= max else { return .failure(FieldFault(detail: "must be at most \(max) characters", isTooLong: true)) }
        return Self.reading(length >= min ? text : nil, min == 1 ? "must not be empty" : "must be at least \(min) characters")
    }

    /// The elements of a list of texts, each of which may be refused by itself.
    package func readTexts(max: Int) -> Result<[JSONValue], FieldFault> {
        guard let array else { return .failure(FieldFault(detail: "must be an array of strings")) }
        return Self.reading(array.count <= max ? array : nil, "must have at most \(max) elements")
    }

    package func readBool() -> Result<Bool, FieldFault> {
        guard case .bool(let bool) = self else { return .failure(FieldFault(detail: "must be true or false")) }
        return .success(bool)
    }

    /// Accepts whole numbers in another spelling (`1e3`, `5.0`) too, as JSON Schema does, while a Double holds them exactly.
    package func readInteger(in range: ClosedRange<Int64>) -> Result<Int64, FieldFault> {
        let whole = integer ?? number.flatMap { abs($0) <= 9_007_199_254_740_992 ? Int64(exactly: $0) : nil }
        guard let whole else { return .failure(FieldFault(detail: "must be an integer")) }
        return Self.reading(range.contains(whole) ? whole : nil, "must lie in \(range.lowerBound)…\(range.upperBound)")
    }

    package func readNumber(in range: ClosedRange<Double>) -> Result<Double, FieldFault> {
        guard let number else { return .failure(FieldFault(detail: "must be a number")) }
        return Self.reading(range.contains(number) ? number : nil, "must lie in \(range.lowerBound)…\(range.upperBound)")
    }

    /// RFC 3339 with an offset.
    package func readInstant() -> Result<Date, FieldFault> {
        Self.reading(string.flatMap(RFC3339.parse), "must be an RFC 3339 time with an offset")
    }

    package func readRecordingTime() -> Result<Date, FieldFault> {
        readInstant().flatMap { Self.reading(EntryFacts.canBeRecorded(at: $0) ? $0 : nil, "must lie in the years 1900 to 2199") }
    }

    /// One of the raw values of an enumeration.
    package func readChoice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> Result<Choice, FieldFault> {
        Self.reading(string.flatMap { Choice(rawValue: $0) }, FieldFault.notOne(of: Choice.allCases.map(\.rawValue)))
    }

    /// Hex digits for exactly `count` bytes.
    package func readHex(count: Int) -> Result<[UInt8], FieldFault> {
        Self.reading(string.flatMap { $0.utf8.count == count * 2 ? Hex.decode($0) : nil }, "must be \(count * 2) hex digits")
    }

    private var number: Double? {
        guard case .number(let spelling) = self, let number = Double(spelling), number.isFinite else { return nil }
        return number
    }

    private static func reading<Value>(_ value: Value?, _ fault: @autoclosure () -> String) -> Result<Value, FieldFault> {
        guard let value else { return .failure(FieldFault(detail: fault())) }
        return .success(value)
    }
}
