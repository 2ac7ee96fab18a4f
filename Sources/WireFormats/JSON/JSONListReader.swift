/// Reads a document that is one object with a long list in it, without holding the document: the list comes element by element, as bytes for
/// `JSONParser` or `LenientJSON`. What surrounds the elements is read here, with a byte order mark before it, commas too many, and other members
/// that come twice, of which the first counts.
///
/// ```json
/// {"version": 1, "entries": [ {…}, {…} ], "count": 2}
/// ```
package struct JSONListReader {
    /// The next bytes; none at the document's end.
    package typealias Source = () throws -> [UInt8]

    /// What the list has at one place.
    package enum Element: Sendable, Equatable {
        case bytes([UInt8])
        /// Longer, or of more values, than the reader keeps. It has been passed, so the elements behind it can be read.
        case tooLarge
    }

    private enum Place { case start, firstMember, afterMember, firstElement, afterElement, end }

    private let list: String
    private let maximumElement: Int
    private let maximumDepth: Int
    private let maximumValues: Int
    private var place = Place.start
    private var piece: [UInt8] = []
    private var position = 0
    /// Bytes of the pieces before.
    private var passed = 0

    /// Whether the object has the member; known for certain at the document's end.
    package private(set) var hasList = false

    /// The object's other members that have been read so far and are short enough.
    package private(set) var members: [String: [UInt8]] = [:]

    /// Bytes. 500 names of 60 letters are some 150 KB.
    private static let longestMember = 262_144
    private static let mostMembers = 64

    /// - Parameters:
    ///   - list: the name of the member that is the list.
    ///   - maximumElement: bytes of one element.
    ///   - maximumDepth: objects and arrays inside one another, in one element.
    ///   - maximumValues: members and elements in one element, counted by their signs: each costs a parser far more memory than bytes.
    package init(list: String, maximumElement: Int, maximumDepth: Int = 32, maximumValues: Int = 1_000_000) {
        self.list = list
        self.maximumElement = maximumElement
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
    }

    /// The next element; nil at the document's end.
    /// - Throws: `JSONParsingError`, and what the source throws.
    package mutating func next(_ source: Source) throws -> Element? {
        while true {
            switch place {
            case .start:
                for byte in [0xEF, 0xBB, 0xBF] as [UInt8] where try visible(source) == byte { position += 1 }
                try expect(UInt8(ascii: "{"), source)
                place = .firstMember
            case .firstMember:
                while try take(UInt8(ascii: ","), source) {}
                if try take(UInt8(ascii: "}"), source) { try finish(source) } else { try member(source) }
            case .afterMember:
                if try take(UInt8(ascii: "}"), source) {
                    try finish(source)
                } else {
                    try expect(UInt8(ascii: ","), source)
                    place = .firstMember
                }
            case .firstElement:
                while try take(UInt8(ascii: ","), source) {}
                if try take(UInt8(ascii: "]"), source) { place = .afterMember } else { return try element(source) }
            case .afterElement:
                if try take(UInt8(ascii: "]"), source) {
                    place = .afterMember
                } else {
                    try expect(UInt8(ascii: ","), source)
                    place = .firstElement
                }
            case .end: return nil
            }
        }
    }

    private mutating func finish(_ source: Source) throws {
        // To the end, where a checksum may be compared; what follows the document is not read.
        while try fill(source) { position = piece.count }
        place = .end
    }

    /// Up to the end of its value, or into the list.
    private mutating func member(_ source: Source) throws {
        guard try visible(source) == UInt8(ascii: "\"") else { throw failure("a member name is expected") }
        guard let raw = try value(keeping: 2_048, source), let name = LenientJSON.value(raw)?.string else {
            throw failure("the member name is too long")
        }
        try expect(UInt8(ascii: ":"), source)
        if name == list {
            guard !hasList else { throw failure("a member name comes twice") }
            hasList = true
            try expect(UInt8(ascii: "["), source)
            place = .firstElement
            return
        }
        guard members.count < Self.mostMembers else { throw failure("the object has too many members") }
        _ = try visible(source)
        let value = try value(keeping: Self.longestMember, source) ?? []
        if members[name] == nil { members[name] = value }
        place = .afterMember
    }

    private mutating func element(_ source: Source) throws -> Element {
        _ = try visible(source)
        let bytes = try value(keeping: maximumElement, source)
        place = .afterElement
        return bytes.map { .bytes($0) } ?? .tooLarge
    }

    /// The bytes of the value that begins at the position.
    /// - Returns: nil when it is longer than `most` or has too many values; it has been passed then, and nothing of it is held.
    private mutating func value(keeping most: Int, _ source: Source) throws -> [UInt8]? {
        var kept: [UInt8] = []
        var isKept = true
        var (depth, values, inString, isEscaped) = (0, 0, false, false)
        while true {
            guard try fill(source) else { throw failure("the document ends too early") }
            let start = position
            var isWhole = false
            scan: while position < piece.count {
                let byte = piece[position]
                if inString {
                    position += 1
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        inString = false
                        if depth == 0 {
                            isWhole = true
                            break scan
                        }
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""):
                    inString = true
                    position += 1
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    values += 1
                    guard depth <= maximumDepth else { throw failure("nested too deeply") }
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 {
                        isWhole = true
                        break scan
                    }
                    depth -= 1
                    position += 1
                    if depth == 0 {
                        isWhole = true
                        break scan
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                    if depth == 0 {
                        isWhole = true
                        break scan
                    }
                    if byte == UInt8(ascii: ",") { values += 1 }
                    position += 1
                default: position += 1
                }
            }
            if isKept, values <= maximumValues, kept.count + position - start <= most {
                kept += piece[start..<position]
            } else {
                (kept, isKept) = ([], false)
            }
            if isWhole {
                guard !isKept || !kept.isEmpty else { throw failure("a value is expected") }
                return isKept ? kept : nil
            }
        }
    }

    private mutating func expect(_ byte: UInt8, _ source: Source) throws {
        guard try take(byte, source) else { throw failure("another character is expected") }
    }

    private mutating func take(_ byte: UInt8, _ source: Source) throws -> Bool {
        guard try visible(source) == byte else { return false }
        position += 1
        return true
    }

    /// The next byte that is no white space; not taken.
    private mutating func visible(_ source: Source) throws -> UInt8? {
        while try fill(source) {
            let byte = piece[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// False at the document's end.
    private mutating func fill(_ source: Source) throws -> Bool {
        guard position == piece.count else { return true }
        passed += piece.count
        piece = try source()
        position = 0
        return !piece.isEmpty
    }

    private func failure(_ reason: String) -> JSONParsingError { JSONParsingError(reason: reason, offset: passed + position) }
}
