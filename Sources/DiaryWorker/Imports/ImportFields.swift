import DiaryCore
import FoundationEssentials
import WireFormats

/// Reads the members of a JSON object of a zip, by the rules for those of a request. It ends at the first that is refused: an import says that
/// an entry was not made, not which of its members was wrong.
struct ImportFields {
    /// The object is not what its place in the form asks for.
    struct Fault: Error {
        var code = ImportItem.Code.invalidEntry
    }

    /// Characters. Machines write longer texts than people.
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

    /// - Parameter code: for one that is too long.
    func text(_ name: String, max: Int, code: ImportItem.Code = .invalidEntry) throws(Fault) -> String? {
        try taken(value(name)?.readText(max: max), tooLong: code)
    }

    /// nil for an empty one.
    func filled(_ name: String, max: Int) throws(Fault) -> String? { try text(name, max: max).flatMap { $0.isEmpty ? nil : $0 } }

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

    func bool(_ name: String) throws(Fault) -> Bool? { try taken(value(name)?.readBool()) }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(Fault) -> Int64? { try taken(value(name)?.readInteger(in: range)) }

    func number(_ name: String, in range: ClosedRange<Double>) throws(Fault) -> Double? { try taken(value(name)?.readNumber(in: range)) }

    func time(_ name: String) throws(Fault) -> Date? { try taken(value(name)?.readRecordingTime()) }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type) throws(Fault) -> Choice? {
        try taken(value(name)?.readChoice(of: type))
    }

    /// SHA-256, in lower or upper case.
    func digest(_ name: String) throws(Fault) -> [UInt8]? { try taken(value(name)?.readHex(count: 32)) }

    func texts(_ name: String, maxCount: Int, maxEach: Int) throws(Fault) -> [String] {
        var texts: [String] = []
        for element in try taken(value(name)?.readTexts(max: maxCount)) ?? [] {
            if let text = try taken(element.readText(max: maxEach)) { texts.append(text) }
        }
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

    private func taken<Value>(
        _ reading: Result<Value, FieldFault>?, tooLong: ImportItem.Code = .invalidEntry
    ) throws(Fault) -> Value? {
        switch reading {
        case nil: return nil
        case .success(let value)?: return value
        case .failure(let fault)?: throw Fault(code: fault.isTooLong ? tooLong : .invalidEntry)
        }
    }
}
