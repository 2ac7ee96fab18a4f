import FoundationEssentials
package import WireFormats

/// What an app knows of an entry and the service does not (decision D24): pairs of a key and a value, by ascending key.
package struct EntryMetadata: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        package let key: String
        package let value: String

        /// As stored and hashed. No key has U+0000.
        var text: String { "\(key)\0\(value)" }
    }

    /// A value that a client sets or, by nil, takes away.
    package struct Change: Sendable {
        package var key: String
        package var value: String?

        package init(key: String, value: String?) {
            self.key = key
            self.value = value
        }
    }

    /// The most pairs of an entry.
    package static let most = 20
    /// ASCII characters.
    package static let keyLength = 40
    /// Unicode code points.
    package static let valueLength = 500

    package private(set) var pairs: [Pair] = []

    package init() {}

    package var isEmpty: Bool { pairs.isEmpty }

    /// nil, and an empty value, take the pair away.
    package subscript(_ key: String) -> String? {
        get { pairs.first { $0.key == key }?.value }
        set {
            pairs.removeAll { $0.key == key }
            guard let newValue, !newValue.isEmpty else { return }
            pairs.insert(Pair(key: key, value: newValue), at: pairs.firstIndex { $0.key > key } ?? pairs.endIndex)
        }
    }

    /// Letters, digits, `_`, `-` and `.`: what a query has without escapes.
    package static func isKey(_ text: String) -> Bool {
        (1...keyLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Adds a stored pair, of which each key has one.
    mutating func add(stored text: String) {
        let end = text.utf8.firstIndex(of: 0) ?? text.endIndex
        pairs.append(Pair(key: String(text[..<end]), value: end < text.endIndex ? String(text[text.utf8.index(after: end)...]) : ""))
    }

    mutating func apply(_ changes: [Change]) throws(DiaryError) {
        guard !changes.isEmpty else { return }
        for change in changes { self[change.key] = change.value }
        guard pairs.count <= Self.most else { throw .invalid("/metadata", "an entry has at most \(Self.most) pairs") }
    }
}

extension EntryMetadata: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { w in
            for pair in pairs { w.member(JSONName(pair.key), pair.value) }
        }
    }
}

/// When a recording began, by the name of its file on the device: `toukan_2024-01-15T14-30-00.m4a`.
struct FileNameTime: Sendable, Equatable {
    /// The key of the client's own file name.
    static let key = "client_filename"

    /// The wall clock, read as if it were UTC.
    let wallClock: Date
    /// The name says that it is UTC.
    let isUTC: Bool

    /// nil for a name without a time.
    static func read(_ name: String) -> FileNameTime? {
        let bytes = Array(name.utf8)
        guard bytes.count >= form.count else { return nil }
        for start in 0...(bytes.count - form.count) {
            let end = start + form.count
            var time = Array(bytes[start..<end])
            guard zip(time, form).allSatisfy({ fits($0, $1) }), start == 0 || !isDigit(bytes[start - 1]),
                end == bytes.count || !isDigit(bytes[end])
            else { continue }
            (time[13], time[16]) = (UInt8(ascii: ":"), UInt8(ascii: ":"))
            guard let date = RFC3339.parse(String(decoding: time, as: UTF8.self) + "Z"), EntryFacts.canBeRecorded(at: date) else {
                continue
            }
            return FileNameTime(wallClock: date, isUTC: end < bytes.count && bytes[end] == UInt8(ascii: "Z"))
        }
        return nil
    }

    /// `0` stands for a digit; the clock's separators may be `-`, `:` or `_`.
    private static let form = Array("0000-00-00T00:00:00".utf8)

    private static func fits(_ byte: UInt8, _ form: UInt8) -> Bool {
        switch form {
        case UInt8(ascii: "0"): isDigit(byte)
        case UInt8(ascii: ":"): byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        default: byte == form
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
