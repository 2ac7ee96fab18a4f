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
package struct JSONWriter: ~Copyable {
    private var bytes: JSONBytes
    private var separates = false

    /// - Parameter capacity: bytes the document is likely to need.
    package init(capacity: Int = 512) { bytes = JSONBytes(capacity: capacity) }

    /// A whole document.
    package static func object(capacity: Int = 512, _ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: capacity)
        writer.object(body)
        return writer.document
    }

    /// The document so far.
    var document: ByteBuffer { bytes.buffer }

    /// An object as the next value.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// An array as the next value.
    package mutating func array<Element>(_ elements: [Element], _ each: (inout JSONWriter, borrowing Element) -> Void) {
        open(UInt8(ascii: "["))
        let elements = elements.span
        for index in elements.indices { each(&self, elements[index]) }
        close(UInt8(ascii: "]"))
    }

    /// A value inside an array.
    package mutating func element(_ value: some JSONWritable) {
        comma()
        value.write(to: &self)
        separates = true
    }

    /// - Returns: where the value stands in the document.
    @discardableResult @inline(__always)
    package mutating func member(_ name: JSONName, _ value: some JSONWritable) -> Range<Int> {
        key(name)
        let start = bytes.count
        value.write(to: &self)
        separates = true
        return start..<bytes.count
    }

    /// A member with the value that stands at `place` already: a long text is looked at once.
    mutating func member(_ name: JSONName, again place: Range<Int>) {
        key(name)
        bytes.repeatBytes(place)
        separates = true
    }

    /// Nothing at all for nil.
    package mutating func memberIfPresent(_ name: JSONName, _ value: (some JSONWritable)?) {
        if let value { member(name, value) }
    }

    /// A member that is an object.
    package mutating func member(_ name: JSONName, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// A member that is an array of values.
    package mutating func member(_ name: JSONName, _ values: [some JSONWritable]) {
        array(name, values) { $0.element(copy $1) }
    }

    /// A member that is an array.
    package mutating func array<Element>(
        _ name: JSONName, _ elements: [Element], _ each: (inout JSONWriter, borrowing Element) -> Void
    ) {
        key(name)
        array(elements, each)
    }

    @inline(__always)
    private mutating func key(_ name: JSONName) {
        switch name.spelling {
        case .literal(let literal): bytes.append(key: literal, separated: separates)
        case .escaped(let escaped):
            comma()
            bytes.append(UInt8(ascii: "\""))
            bytes.append(escaped.span)
            bytes.append("\":")
        }
        separates = false
    }

    @inline(__always)
    private mutating func comma() {
        if separates { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        separates = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        separates = true
    }

    /// Text that is JSON already: `true`, `null`.
    @inline(__always)
    mutating func raw(_ literal: StaticString) { bytes.append(literal) }

    /// Digits and what else makes up a number.
    mutating func number(_ text: String) { bytes.append(text.utf8Span.span) }

    /// A string of characters that need no escape.
    @inline(__always)
    mutating func quoted(_ write: (inout JSONBytes) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copied first and looked at then, while the processor still has it at hand.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(text.utf8Span.span)
        if bytes.needsEscape(from: start) {
            bytes.truncate(to: start)
            var escaped: [UInt8] = []
            JSONEscapes.append(text, to: &escaped)
            bytes.append(escaped.span)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// A member's name: mostly one of ours, which needs no escape.
package struct JSONName: ExpressibleByStringLiteral {
    fileprivate enum Spelling {
        case literal(StaticString)
        case escaped([UInt8])
    }

    fileprivate let spelling: Spelling

    @inline(__always)
    package init(stringLiteral name: StaticString) { spelling = .literal(name) }

    /// A name that comes from elsewhere.
    package init(_ name: String) {
        var bytes: [UInt8] = []
        JSONEscapes.append(name, to: &bytes)
        spelling = .escaped(bytes)
    }

}
