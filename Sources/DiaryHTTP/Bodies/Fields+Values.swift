package import DiaryCore
package import FoundationEssentials
import WireFormats

extension Fields {
    /// - Parameter max: in Unicode code points, as JSON Schema's `maxLength` counts.
    package mutating func text(_ name: String, max: Int, min: Int = 0) -> String? {
        taken(name, value(name)?.readText(max: max, min: min))
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

    package mutating func bool(_ name: String) -> Bool? { taken(name, value(name)?.readBool()) }

    package mutating func integer(_ name: String, in range: ClosedRange<Int64> = .min ... .max) -> Int64? {
        taken(name, value(name)?.readInteger(in: range))
    }

    package mutating func number(_ name: String, in range: ClosedRange<Double> = -Double.infinity...Double.infinity) -> Double? {
        taken(name, value(name)?.readNumber(in: range))
    }

    /// RFC 3339 with an offset.
    package mutating func instant(_ name: String) -> Date? { taken(name, value(name)?.readInstant()) }

    /// When something was recorded: `EntryFacts.canBeRecorded`.
    mutating func recordingTime(_ name: String) -> Date? { taken(name, value(name)?.readRecordingTime()) }

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
    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type) -> Choice? {
        taken(name, value(name)?.readChoice(of: type))
    }

    /// Limits count elements and, per element, Unicode code points; elements must not be empty.
    package mutating func texts(_ name: String, maxCount: Int, maxEach: Int) -> [String]? {
        guard let elements = taken(name, value(name)?.readTexts(max: maxCount)) else { return nil }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            switch element.readText(max: maxEach, min: 1) {
            case .success(let text): texts.append(text)
            case .failure(let fault): errors.append(.init("\(pointer(name))/\(index)", fault.detail))
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
    package mutating func hex(_ name: String, count: Int) -> [UInt8]? { taken(name, value(name)?.readHex(count: count)) }

    /// - Parameter reading: nil for a member that is not there.
    private mutating func taken<Value>(_ name: String, _ reading: Result<Value, FieldFault>?) -> Value? {
        switch reading {
        case nil: return nil
        case .success(let value)?: return value
        case .failure(let fault)?: return fail(name, fault.detail)
        }
    }

    private mutating func fail<Value>(_ name: String, _ detail: String) -> Value? {
        refuse(name, detail)
        return nil
    }
}
