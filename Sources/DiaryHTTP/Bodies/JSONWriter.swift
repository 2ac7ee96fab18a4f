package import NIOCore

/// The one way to write JSON: straight into the bytes that are sent. Optionals write `null`.
///
/// ```swift
/// JSONWriter.object { w in
///     w.member("id", entry.id)
///     w.member("upload") { $0.member("method", "PUT") }
///     w.member("tags", entry.tags)
///     w.array("entries", entries) { w, entry in w.object { … } }
/// }
/// ```
package struct JSONWriter {
    package private(set) var buffer: ByteBuffer
    private var separates = false

    package init(capacity: Int = 512) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    /// A whole document.
    package static func object(capacity: Int = 512, _ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: capacity)
        writer.object(body)
        return writer.buffer
    }

    /// An object as the next value.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// An array as the next value.
    package mutating func array<Elements: Sequence>(_ elements: Elements, _ each: (inout JSONWriter, Elements.Element) -> Void) {
        open(UInt8(ascii: "["))
        for element in elements { each(&self, element) }
        close(UInt8(ascii: "]"))
    }

    /// A value inside an array.
    package mutating func element(_ value: some JSONWritable) {
        comma()
        value.write(to: &self)
        separates = true
    }

    package mutating func member(_ name: String, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
        separates = true
    }

    /// Nothing at all for nil.
    package mutating func memberIfPresent(_ name: String, _ value: (some JSONWritable)?) {
        if let value { member(name, value) }
    }

    /// A member that is an object.
    package mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// A member that is an array of values.
    package mutating func member(_ name: String, _ values: [some JSONWritable]) {
        array(name, values) { $0.element($1) }
    }

    /// A member that is an array.
    package mutating func array<Elements: Sequence>(
        _ name: String, _ elements: Elements, _ each: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        array(elements, each)
    }

    private mutating func key(_ name: String) {
        comma()
        string(name)
        buffer.writeInteger(UInt8(ascii: ":"))
        separates = false
    }

    private mutating func comma() {
        if separates { buffer.writeInteger(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        buffer.writeInteger(bracket)
        separates = false
    }

    private mutating func close(_ bracket: UInt8) {
        buffer.writeInteger(bracket)
        separates = true
    }

    /// Bytes that are JSON already: numbers, `true`, `null`, quoted times.
    mutating func raw(_ text: String) { buffer.writeString(text) }
    mutating func quoted(_ bytes: [UInt8]) {
        buffer.writeInteger(UInt8(ascii: "\""))
        buffer.writeBytes(bytes)
        buffer.writeInteger(UInt8(ascii: "\""))
    }

    mutating func string(_ text: String) {
        buffer.writeInteger(UInt8(ascii: "\""))
        if Self.needsCare(text.utf8Span.span) {
            buffer.writeBytes(Self.escaped(text))
        } else {
            buffer.writeString(text)
        }
        buffer.writeInteger(UInt8(ascii: "\""))
    }

    /// Control characters, quote, backslash and 0x7F; and 0xE2, which starts U+2028 and U+2029 that JavaScript once took for line ends.
    /// Without a branch for each byte, so that the compiler takes many at a time: most texts need no care.
    private static func needsCare(_ bytes: Span<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) | (byte == 0x7F ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
        }
        return found != 0
    }

    private static let hex = Array("0123456789abcdef".utf8)

    private static func escaped(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count + 32)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
            case "\\": out += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
            case "\n": out += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case "\r": out += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case "\t": out += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case "\u{2028}": out += Array("\\u2028".utf8)
            case "\u{2029}": out += Array("\\u2029".utf8)
            case "\0"..<" ", "\u{7F}":
                out += Array("\\u00".utf8)
                out += [hex[Int(scalar.value >> 4 & 15)], hex[Int(scalar.value & 15)]]
            default: out += Array(UTF8.encode(scalar).map { Array($0) } ?? [])
            }
        }
        return out
    }
}
