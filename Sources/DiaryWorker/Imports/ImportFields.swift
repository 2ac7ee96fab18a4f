import DiaryCore
import FoundationEssentials
import WireFormats

/// Reads the members of a JSON object of a zip, with the limits of what clients write.
struct ImportFields {
    /// The object is not what its place in the form asks for.
    struct Fault: Error {
        var code = ImportItem.Code.invalidEntry
    }

    /// Characters of the owner's text, as `EntryFields.textLength`; machines write longer ones.
    static let textLength = 200_000
    static let machineTextLength = 4_000_000

    let object: JSONObject

    init(_ value: JSONValue?) throws(Fault) {
        guard let object = value?.object else { throw Fault() }
        self.object = object
    }

    init(_ object: JSONObject) { self.object = object }

    /// nil for a member that is missing or null.
    func value(_ name: String) -> JSONValue? {
        switch object[name] {
        case nil, .null?: nil
        case let value?: value
        }
    }

    func text(_ name: String, max: Int, code: ImportItem.Code = .invalidEntry) throws(Fault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, !text.utf8.contains(0) else { throw Fault() }
        guard text.utf8.count <= max || text.unicodeScalars.count <= max else { throw Fault(code: code) }
        return text
    }

    /// nil for an empty one.
    func filled(_ name: String, max: Int, code: ImportItem.Code = .invalidEntry) throws(Fault) -> String? {
        try text(name, max: max, code: code).flatMap { $0.isEmpty ? nil : $0 }
    }

    func required(_ name: String, max: Int) throws(Fault) -> String {
        guard let text = try filled(name, max: max) else { throw Fault() }
        return text
    }

    /// A name in one line.
    func line(_ name: String, max: Int) throws(Fault) -> String? {
        guard let text = try filled(name, max: max) else { return nil }
        guard OneLineText.accepts(text) else { throw Fault() }
        return text
    }

    func bool(_ name: String) throws(Fault) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .bool(let bool) = value else { throw Fault() }
        return bool
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(Fault) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer, range.contains(number) else { throw Fault() }
        return number
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(Fault) -> Double? {
        guard let value = value(name) else { return nil }
        guard case .number(let spelling) = value, let number = Double(spelling), range.contains(number) else { throw Fault() }
        return number
    }

    /// In the years 1900 to 2199, as the API takes times.
    func time(_ name: String) throws(Fault) -> Date? {
        guard let value = value(name) else { return nil }
        guard let time = value.string.flatMap(RFC3339.parse), (-2_208_988_800..<7_258_118_400).contains(time.timeIntervalSince1970) else {
            throw Fault()
        }
        return time
    }

    func choice<Choice: RawRepresentable<String>>(_ name: String, of type: Choice.Type) throws(Fault) -> Choice? {
        guard let value = value(name) else { return nil }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else { throw Fault() }
        return choice
    }

    /// Lower or upper case.
    func digest(_ name: String) throws(Fault) -> [UInt8]? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, text.utf8.count == 64, let bytes = Hex.decode(text) else { throw Fault() }
        return bytes
    }

    func texts(_ name: String, maxCount: Int, maxEach: Int) throws(Fault) -> [String] {
        guard let value = value(name) else { return [] }
        guard let texts = value.strings, texts.count <= maxCount,
            texts.allSatisfy({ $0.unicodeScalars.count <= maxEach && !$0.utf8.contains(0) })
        else { throw Fault() }
        return texts
    }

    func objects(_ name: String, max: Int) throws(Fault) -> [ImportFields] {
        guard let value = value(name) else { return [] }
        guard let values = value.array, values.count <= max else { throw Fault() }
        var objects: [ImportFields] = []
        for value in values { objects.append(try ImportFields(value)) }
        return objects
    }

    func fields(_ name: String) throws(Fault) -> ImportFields? {
        guard let value = value(name) else { return nil }
        return try ImportFields(value)
    }
}
