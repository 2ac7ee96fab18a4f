package import DiaryCore
package import FoundationEssentials
import WireFormats

/// Reads the query of a URI parameter by parameter. Each may occur once, but for `texts`, and parameters that no call reads are refused,
/// because a misspelt `form=` would otherwise list everything.
package struct Query: Sendable {
    private struct Parameter {
        let name: String
        /// nil when it could not be decoded.
        let value: String?
        /// A call has read it, or an error names it already.
        var isKnown = false
    }

    private var parameters: [Parameter] = []
    /// Names that occur more than once, until they are read.
    private var repeated: Set<String> = []
    package private(set) var errors: [DiaryError.Field] = []

    /// - Parameter raw: what follows `?`, undecoded.
    package init(_ raw: String?) {
        guard let raw else { return }
        for pair in raw.utf8.split(separator: UInt8(ascii: "&")) {
            // No operation has a tenth of them, and each is compared with the earlier ones.
            guard parameters.count < 100 else {
                errors.append(.init("query", "has too many parameters"))
                return
            }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let first = Substring(pair[..<(equals ?? pair.endIndex)])
            let second = equals.map { Substring(pair[pair.index(after: $0)...]) } ?? ""
            guard let name = PercentEncoding.decodeText(first, plusIsSpace: true), Self.isName(name) else {
                errors.append(.init("query", "has a parameter name that cannot be read"))
                continue
            }
            guard let value = PercentEncoding.decodeText(second, plusIsSpace: true) else {
                errors.append(.init("query/\(name)", "is not percent-encoded UTF-8"))
                parameters.append(Parameter(name: name, value: nil, isKnown: true))
                continue
            }
            if parameters.contains(where: { $0.name == name && $0.value != nil }) { repeated.insert(name) }
            parameters.append(Parameter(name: name, value: value))
        }
    }

    /// Throws when a value was not acceptable or no call has read a parameter.
    package mutating func finish() throws(DiaryError) {
        var unknown = Set<String>()
        for parameter in parameters where !parameter.isKnown { unknown.insert(parameter.name) }
        for name in unknown.sorted() { errors.append(.init("query/\(name)", "is not a parameter of this operation")) }
        guard errors.isEmpty else { throw DiaryError(.invalidFields, fields: Array(errors.prefix(50))) }
    }

    /// True when the parameter is present, whatever its value.
    func has(_ name: String) -> Bool { parameters.contains { $0.name == name } }

    package mutating func text(_ name: String, max: Int) -> String? {
        guard let value = take(name) else { return nil }
        guard value.unicodeScalars.count <= max else { return fail(name, "must be at most \(max) characters") }
        return value
    }

    /// The values of a parameter that may occur several times.
    package mutating func texts(_ name: String, maxCount: Int, max: Int) -> [String] {
        repeated.remove(name)
        var values: [String] = []
        for index in parameters.indices where parameters[index].name == name {
            parameters[index].isKnown = true
            if let value = parameters[index].value { values.append(value) }
        }
        if values.count > maxCount { refuse(name, "must come at most \(maxCount) times") }
        if values.contains(where: { $0.unicodeScalars.count > max }) { refuse(name, "must be at most \(max) characters") }
        return values
    }

    /// Parameters whose names begin with `prefix`, each once: the rest of the name, and the value.
    mutating func texts(below prefix: String, max: Int) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for name in Set(parameters.map(\.name).filter { $0.hasPrefix(prefix) }).sorted() {
            if let value = text(name, max: max) { values.append((String(name.dropFirst(prefix.count)), value)) }
        }
        return values
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = take(name) else { return nil }
        guard let integer = Int(value), value.utf8.first != UInt8(ascii: "+") else { return fail(name, "must be an integer") }
        guard range.contains(integer) else { return fail(name, "must lie in \(range.lowerBound)…\(range.upperBound)") }
        return integer
    }

    package mutating func bool(_ name: String) -> Bool? {
        guard let value = take(name) else { return nil }
        guard let bool = Bool(value) else { return fail(name, "must be true or false") }
        return bool
    }

    /// RFC 3339 with an offset. An unescaped `+` was decoded as a space and is read as `+`.
    package mutating func instant(_ name: String) -> Date? {
        guard let value = take(name) else { return nil }
        let spelling = String(value.map { $0 == " " ? "+" : $0 })
        guard let date = RFC3339.parse(spelling) else { return fail(name, "must be an RFC 3339 time with an offset") }
        return date
    }

    /// `YYYY-MM-DD`, or the date of a date-time. An unescaped `+` was decoded as a space and is read as `+`.
    package mutating func day(_ name: String) -> CalendarDay? {
        guard let value = take(name) else { return nil }
        let spelling = String(value.map { $0 == " " ? "+" : $0 })
        guard let day = CalendarDay(wire: spelling) else { return fail(name, "must be a day, YYYY-MM-DD") }
        return day
    }

    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type) -> Choice? {
        guard let value = take(name) else { return nil }
        guard let choice = Choice(rawValue: value) else { return fail(name, FieldFault.notOne(of: Choice.allCases.map(\.rawValue))) }
        return choice
    }

    /// The canonical 36 characters.
    package mutating func id<Entity>(_ name: String) -> ID<Entity>? {
        guard let value = take(name) else { return nil }
        guard let id = ID<Entity>(value) else { return fail(name, "must be a UUID") }
        return id
    }

    /// For rules between parameters.
    package mutating func refuse(_ name: String, _ detail: String) { errors.append(.init("query/\(name)", detail)) }

    private mutating func take(_ name: String) -> String? {
        if repeated.remove(name) != nil { refuse(name, "comes twice") }
        var value: String?
        for index in parameters.indices where parameters[index].name == name {
            parameters[index].isKnown = true
            value = parameters[index].value ?? value
        }
        return value
    }

    private mutating func fail<Value>(_ name: String, _ detail: String) -> Value? {
        refuse(name, detail)
        return nil
    }

    /// Names that an error's pointer may repeat.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

/// The query of a list with pages.
enum ListFields {
    static let limit = 1...200
    static let usualLimit = 50
    static let cursorLength = 64

    static func limit(_ query: inout Query) -> Int { query.integer("limit", in: limit) ?? usualLimit }

    /// What is left of a list's query when its filters have been read.
    static func page(_ query: inout Query) throws(DiaryError) -> (before: ListPosition?, limit: Int) {
        let size = limit(&query)
        let cursor = query.text("cursor", max: cursorLength)
        let position = cursor.flatMap { ListPosition(parsing: $0) }
        if cursor != nil, position == nil { query.refuse("cursor", "is not a cursor of this list") }
        try query.finish()
        return (position, size)
    }
}
