package import FoundationEssentials
package import WireFormats

/// Why a value is refused, in words for the client.
package struct FieldFault: Error {
    package var detail: String
    /// A shorter one would do.
    package var isTooLong: Bool

    package init(_ detail: String, isTooLong: Bool = false) {
        self.detail = detail
        self.isTooLong = isTooLong
    }
}

/// One value of a request's body or of an import's list, read strictly. What is done about a fault is for the reader of the whole object: a
/// request collects all of them, an import gives up the entry at the first.
extension JSONValue {
    /// - Parameter max: in Unicode code points, as JSON Schema's `maxLength` counts.
    package func readText(max: Int, min: Int = 0) -> Result<String, FieldFault> {
        guard case .string(let text) = self else { return .failure(FieldFault("must be a string")) }
        // Refused everywhere: PostgreSQL's text cannot hold it.
        guard !text.utf8.contains(0) else { return .failure(FieldFault("must not contain U+0000")) }
        // A code point has one to four bytes, so few texts need to be counted.
        let bytes = text.utf8.count
        let length = bytes <= max && bytes / 4 >= min ? bytes : text.unicodeScalars.count
        guard length <= max else { return .failure(FieldFault("must be at most \(max) characters", isTooLong: true)) }
        guard length >= min else {
            return .failure(FieldFault(min == 1 ? "must not be empty" : "must be at least \(min) characters"))
        }
        return .success(text)
    }

    /// The elements of a list of texts, each of which may be refused by itself.
    package func readTexts(max: Int) -> Result<[JSONValue], FieldFault> {
        guard case .array(let elements) = self else { return .failure(FieldFault("must be an array of strings")) }
        guard elements.count <= max else { return .failure(FieldFault("must have at most \(max) elements")) }
        return .success(elements)
    }

    package func readBool() -> Result<Bool, FieldFault> {
        guard case .bool(let bool) = self else { return .failure(FieldFault("must be true or false")) }
        return .success(bool)
    }

    /// Accepts whole numbers in another spelling (`1e3`, `5.0`) too, as JSON Schema does, while a Double holds them exactly.
    package func readInteger(in range: ClosedRange<Int64>) -> Result<Int64, FieldFault> {
        guard case .number(let spelling) = self, let integer = Int64(spelling) ?? Self.whole(spelling) else {
            return .failure(FieldFault("must be an integer"))
        }
        guard range.contains(integer) else { return .failure(FieldFault("must lie in \(range.lowerBound)…\(range.upperBound)")) }
        return .success(integer)
    }

    private static func whole(_ spelling: String) -> Int64? {
        guard let number = Double(spelling), abs(number) <= 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: number)
    }

    package func readNumber(in range: ClosedRange<Double>) -> Result<Double, FieldFault> {
        guard case .number(let spelling) = self, let number = Double(spelling), number.isFinite else {
            return .failure(FieldFault("must be a number"))
        }
        guard range.contains(number) else { return .failure(FieldFault("must lie in \(range.lowerBound)…\(range.upperBound)")) }
        return .success(number)
    }

    /// RFC 3339 with an offset.
    package func readInstant() -> Result<Date, FieldFault> {
        guard case .string(let text) = self, let date = RFC3339.parse(text) else {
            return .failure(FieldFault("must be an RFC 3339 time with an offset"))
        }
        return .success(date)
    }

    /// Of a recording: see `EntryFacts.canBeRecorded`.
    package func readRecordingTime() -> Result<Date, FieldFault> {
        readInstant().flatMap {
            EntryFacts.canBeRecorded(at: $0) ? .success($0) : .failure(FieldFault("must lie in the years 1900 to 2199"))
        }
    }

    /// One of the raw values of an enumeration.
    package func readChoice<Choice: RawRepresentable<String>>(of type: Choice.Type) -> Result<Choice, FieldFault> {
        guard case .string(let text) = self, let choice = Choice(rawValue: text) else {
            return .failure(FieldFault("is not one of the known values"))
        }
        return .success(choice)
    }

    /// Hex digits for exactly `count` bytes.
    package func readHex(count: Int) -> Result<[UInt8], FieldFault> {
        guard case .string(let text) = self, text.utf8.count == count * 2, let bytes = Hex.decode(text) else {
            return .failure(FieldFault("must be \(count * 2) hex digits"))
        }
        return .success(bytes)
    }
}
