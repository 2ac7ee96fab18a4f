/// Writes JSON straight into the bytes that are sent. Optionals write `null`.
///
/// ```swift
/// JSONWriter.object { w in
///     w.member("id", entry.id)
///     w.member("upload") { $0.member("method", "PUT") }
///     w.member("tags", entry.tags)
///     w.array("entries", entries) { w, entry in w.object { … } }
/// }
/// ```
///
/// Generic and short functions are inlinable: a page of 50 entries calls them a thousand times from another module, and takes half as long.
/// `@inlinable package` has an effect only in types that are `@usableFromInline`.
@usableFromInline
package struct JSONWriter: ~Copyable {
    @usableFromInline var bytes: JSONBytes
    @usableFromInline var separates = false

    /// - Parameter capacity: bytes the document is likely to need.
    package init(capacity: Int = 512) { bytes = JSONBytes(capacity: capacity) }

    /// A whole document.
    package static func object(capacity: Int = 512, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object(body)
        return writer.document
    }

    /// The document so far.
    package var document: [UInt8] {
        withDocument { document in
            [UInt8](capacity: document.count) { for index in document.indices { $0.append(document[index]) } }
        }
    }

    /// The document so far, not copied.
    package func withDocument<Result>(_ read: (Span<UInt8>) -> Result) -> Result { bytes.withSpan(read) }

    /// An object as the next value.
    @inlinable
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// An array as the next value.
    @inlinable
    package mutating func array<Element>(_ elements: [Element], _ each: (inout JSONWriter, borrowing Element) -> Void) {
        open(UInt8(ascii: "["))
        let elements = elements.span
        for index in elements.indices { each(&self, elements[index]) }
        close(UInt8(ascii: "]"))
    }

    /// A value inside an array.
    @inlinable
    package mutating func element(_ value: some JSONWritable) {
        comma()
        value.write(to: &self)
        separates = true
    }

    /// - Returns: the range of the value's bytes in the document.
    @discardableResult @inlinable @inline(__always)
    package mutating func member(_ name: JSONName, _ value: some JSONWritable) -> Range<Int> {
        key(name)
        let start = bytes.count
        value.write(to: &self)
        separates = true
        return start..<bytes.count
    }

    /// `null` for nil.
    @discardableResult @inlinable @inline(__always)
    package mutating func member(_ name: JSONName, _ value: (some JSONWritable)?) -> Range<Int> {
        if let value { return member(name, value) }
        return null(name)
    }

    @discardableResult @usableFromInline
    mutating func null(_ name: JSONName) -> Range<Int> {
        key(name)
        let start = bytes.count
        raw("null")
        separates = true
        return start..<bytes.count
    }

    /// A member whose value is in the document already, at `place`: a long text is searched for escapes once.
    package mutating func member(_ name: JSONName, again place: Range<Int>) {
        key(name)
        bytes.repeatBytes(place)
        separates = true
    }

    /// Nothing at all for nil.
    @inlinable
    package mutating func memberIfPresent(_ name: JSONName, _ value: (some JSONWritable)?) {
        if let value { member(name, value) }
    }

    /// A member that is an object.
    @inlinable
    package mutating func member(_ name: JSONName, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// A member that is an array of values.
    @inlinable
    package mutating func member(_ name: JSONName, _ values: [some JSONWritable]) {
        array(name, values) { $0.element(copy $1) }
    }

    /// A member that is an array.
    @inlinable
    package mutating func array<Element>(
        _ name: JSONName, _ elements: [Element], _ each: (inout JSONWriter, borrowing Element) -> Void
    ) {
        key(name)
        array(elements, each)
    }

    @inlinable @inline(__always)
    mutating func key(_ name: JSONName) {
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

    @inlinable @inline(__always)
    mutating func comma() {
        if separates { bytes.append(UInt8(ascii: ",")) }
    }

    @inlinable
    mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        separates = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        separates = true
    }

    /// Text that is JSON already: `true`, `null`.
    mutating func raw(_ literal: StaticString) { bytes.append(literal) }

    /// Digits and what else makes up a number.
    mutating func number(_ text: String) { bytes.append(text.utf8Span.span) }

    /// A string of characters that need no escape.
    @inlinable @inline(__always)
    package mutating func quoted(_ write: (inout JSONBytes) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        write(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copied first and searched for escapes then, while the processor's cache holds it.
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
