/// Reads the XML of S3 answers: elements and text in UTF-8 with the five named entities and character references.
///
/// A document type, a processing instruction, a CDATA section or another entity is refused, and so is what is too deep or has too many
/// elements: nothing that a server sends makes this read a file, expand, or recurse.
struct XMLReader {
    enum Fault: Error { case malformed }

    static let maximumDepth = 16
    static let maximumElements = 20_000

    private let bytes: [UInt8]
    private var index = 0

    /// - Returns: the root element.
    static func read(_ bytes: [UInt8]) throws(Fault) -> XMLElement {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformed }
        var reader = XMLReader(bytes: bytes)
        return try reader.document()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() throws(Fault) -> XMLElement {
        _ = has("\u{FEFF}")
        skipSpace()
        if has("<?xml") { try skip(past: "?>") }
        try skipSpaceAndComments()
        var open: [XMLElement] = []
        var count = 0
        while true {
            if has("<!--") {
                try skip(past: "-->")
            } else if has("</") {
                let closed = try name()
                skipSpace()
                guard has(">"), let element = open.popLast(), element.name == closed else { throw .malformed }
                guard var parent = open.popLast() else { return try ended(element) }
                parent.children.append(element)
                open.append(parent)
            } else if has("<") {
                count += 1
                guard count <= Self.maximumElements, open.count < Self.maximumDepth else { throw .malformed }
                let element = XMLElement(name: try name())
                guard try attributes() else {
                    open.append(element)
                    continue
                }
                guard var parent = open.popLast() else { return try ended(element) }
                parent.children.append(element)
                open.append(parent)
            } else {
                guard var element = open.popLast() else { throw .malformed }
                element.text += try text()
                open.append(element)
            }
        }
    }

    /// Nothing but white space and comments follows the root.
    private mutating func ended(_ root: XMLElement) throws(Fault) -> XMLElement {
        try skipSpaceAndComments()
        guard index == bytes.count else { throw .malformed }
        return root
    }

    /// The name's part after the prefix.
    private mutating func name() throws(Fault) -> String {
        let start = index
        while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
        let parts = String(decoding: bytes[start..<index], as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let last = parts.last, parts.allSatisfy({ !$0.isEmpty }) else { throw .malformed }
        return String(last)
    }

    /// - Returns: true when the element is empty (`/>`).
    private mutating func attributes() throws(Fault) -> Bool {
        while true {
            let isSeparated = skipSpace()
            if has("/>") { return true }
            if has(">") { return false }
            guard isSeparated else { throw .malformed }
            _ = try name()
            skipSpace()
            guard has("=") else { throw .malformed }
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else { throw .malformed }
            let quote = bytes[index]
            index += 1
            while index < bytes.count, bytes[index] != quote {
                guard bytes[index] != UInt8(ascii: "<") else { throw .malformed }
                index += 1
            }
            guard index < bytes.count else { throw .malformed }
            index += 1
        }
    }

    /// Up to the next `<`.
    private mutating func text() throws(Fault) -> String {
        var found: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            if bytes[index] == UInt8(ascii: "&") {
                found += try reference()
            } else {
                guard bytes[index] >= 0x20 || [0x09, 0x0A, 0x0D].contains(bytes[index]) else { throw .malformed }
                found.append(bytes[index])
                index += 1
            }
        }
        guard index < bytes.count else { throw .malformed }
        return String(decoding: found, as: UTF8.self)
    }

    private mutating func reference() throws(Fault) -> [UInt8] {
        for (name, character) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")] where has(name) {
            return Array(character.utf8)
        }
        guard has("&#") else { throw .malformed }
        let radix = has("x") ? 16 : 10
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ";"), index - start < 8 { index += 1 }
        let digits = String(decoding: bytes[start..<index], as: UTF8.self)
        guard has(";"), !digits.hasPrefix("+"), let number = UInt32(digits, radix: radix), let scalar = Unicode.Scalar(number),
            number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number)
        else { throw .malformed }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func skipSpaceAndComments() throws(Fault) {
        skipSpace()
        while has("<!--") {
            try skip(past: "-->")
            skipSpace()
        }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index > start
    }

    private mutating func skip(past end: String) throws(Fault) {
        while index < bytes.count {
            if has(end) { return }
            index += 1
        }
        throw .malformed
    }

    /// Takes the text when it is next.
    private mutating func has(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

/// An element of an S3 answer. Attributes and the prefixes of names are left out.
struct XMLElement: Sendable, Equatable {
    let name: String
    /// Its own text, without that of its children.
    var text = ""
    var children: [XMLElement] = []

    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text of the only child with that name.
    func text(_ name: String) -> String? {
        let found = all(name)
        return found.count == 1 ? found.first?.text : nil
    }
}
