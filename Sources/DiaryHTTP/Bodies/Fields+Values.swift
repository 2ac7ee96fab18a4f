package import DiaryCore
package import FoundationEssentials
import WireFormats

extension Fields {
    /// - Parameter max: in Unicode code points, as JSON Schema's `maxLength` counts.
    package mutating func text(_ name: String, max: Int, min: Int = 0) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else { return fail(name, "must be a string") }
        if let fault = Self.fault(of: text, max: max, min: min) { return fail(name, fault) }
        return text
    }

    /// nil for an empty one too: forms send the fields that were left empty.
    package mutating func filledText(_ name: String, max: Int) -> String? {
        guard let text = text(name, max: max), !text.isEmpty else { return nil }
        return text
    }

    /// nil for blanks, too: what platforms say where they know nothing.
    package mutating func spokenText(_ name: String, max: Int) -> String? {
        filledText(name, max: max).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    package mutating func requiredText(_ name: String, max: Int, min: Int = 1) -> String {
        required(name, "") { $0.text(name, max: max, min: min) }
    }

    package mutating func bool(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .bool(let bool) = value else { return fail(name, "must be true or false") }
        return bool
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
        guard let value = value(name) else { return nil }
        guard case .number(let spelling) = value, let integer = Self.integer(spelling) else { return fail(name, "must be an integer") }
        guard range.contains(integer) else { return fail(name, "must lie in \(range.lowerBound)…\(range.upperBound)") }
        return integer
    }

    package mutating func number(_ name: String, in range: ClosedRange<Double> = -Double.infinity...Double.infinity) -> Double? {
        guard let value = value(name) else { return nil }
        guard case .number(let spelling) = value, let number = Double(spelling), number.isFinite else {
            return fail(name, "must be a number")
        }
        guard range.contains(number) else { return fail(name, "must lie in \(range.lowerBound)…\(range.upperBound)") }
        return number
    }

    /// RFC 3339 with an offset.
    package mutating func instant(_ name: String) -> Date? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, let date = RFC3339.parse(text) else {
            return fail(name, "must be an RFC 3339 time with an offset")
        }
        return date
    }

    /// `YYYY-MM-DD`, or the date of a date-time.
    package mutating func day(_ name: String) -> CalendarDay? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, let day = CalendarDay(wire: text) else { return fail(name, "must be a day, YYYY-MM-DD") }
        return day
    }

    /// The canonical 36 characters.
    package mutating func uuid(_ name: String) -> UUID? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
            return fail(name, "must be a UUID")
        }
        return uuid
    }

    package mutating func id<Entity>(_ name: String) -> ID<Entity>? { uuid(name).map { ID($0) } }

    /// One of the raw values of an enumeration.
    package mutating func choice<Choice: RawRepresentable<String>>(_ name: String, of type: Choice.Type) -> Choice? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
            return fail(name, "is not one of the known values")
        }
        return choice
    }

    /// Limits count elements and, per element, Unicode code points; elements must not be empty.
    package mutating func texts(_ name: String, maxCount: Int, maxEach: Int) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value else { return fail(name, "must be an array of strings") }
        guard elements.count <= maxCount else { return fail(name, "must have at most \(maxCount) elements") }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element else {
                errors.append(.init("\(pointer(name))/\(index)", "must be a string"))
                continue
            }
            if let fault = Self.fault(of: text, max: maxEach, min: 1) {
                errors.append(.init("\(pointer(name))/\(index)", fault))
            } else {
                texts.append(text)
            }
        }
        return texts.count == elements.count ? texts : nil
    }

    /// Standard or URL-safe alphabet, with or without padding; at most `max` bytes.
    package mutating func base64(_ name: String, max: Int) -> [UInt8]? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value else { return fail(name, "must be base64") }
        var digits = text
        while digits.hasSuffix("="), text.utf8.count - digits.utf8.count < 2 { digits.removeLast() }
        let safe = String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        guard let bytes = Base64URL.decode(safe) else { return fail(name, "must be base64") }
        guard bytes.count <= max else { return fail(name, "must be at most \(max) bytes") }
        return bytes
    }

    /// Hex digits for exactly `count` bytes.
    package mutating func hex(_ name: String, count: Int) -> [UInt8]? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, text.utf8.count == count * 2, let bytes = Hex.decode(text) else {
            return fail(name, "must be \(count * 2) hex digits")
        }
        return bytes
    }

    private mutating func fail<Value>(_ name: String, _ detail: String) -> Value? {
        refuse(name, detail)
        return nil
    }

    /// U+0000 is refused everywhere: PostgreSQL's text cannot hold it.
    private static func fault(of text: String, max: Int, min: Int) -> String? {
        guard !text.utf8.contains(0) else { return "must not contain U+0000" }
        // A code point has one to four bytes, so few texts need to be counted.
        let bytes = text.utf8.count
        let length = bytes <= max && bytes / 4 >= min ? bytes : text.unicodeScalars.count
        guard length <= max else { return "must be at most \(max) characters" }
        guard length >= min else { return min == 1 ? "must not be empty" : "must be at least \(min) characters" }
        return nil
    }

    /// Accepts whole numbers in another spelling (`1e3`, `5.0`) too, as JSON Schema does, while a Double holds them exactly.
    private static func integer(_ spelling: String) -> Int64? {
        if let integer = Int64(spelling) { return integer }
        guard let number = Double(spelling), abs(number) <= 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: number)
    }
}
