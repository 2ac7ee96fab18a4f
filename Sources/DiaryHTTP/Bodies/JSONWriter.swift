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
    private var document: ByteBuffer
    // What is short is gathered here first: a byte appended to an array costs a tenth of one written to a `ByteBuffer` (docs/performance.md).
    private var gathered: [UInt8] = []
    private var separates = false

    private static let gatheredAtMost = 4096
    private static let short = 512

    /// - Parameter capacity: bytes the document is likely to need.
    package init(capacity: Int = 512) {
        document = ByteBufferAllocator().buffer(capacity: capacity)
        gathered.reserveCapacity(min(capacity, Self.gatheredAtMost + Self.short))
    }

    /// A whole document.
    package static func object(capacity: Int = 512, _ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: capacity)
        writer.object(body)
        return writer.finish()
    }

    /// The document so far.
    mutating func finish() -> ByteBuffer {
        flush()
        return document
    }

    private mutating func flush() {
        document.writeBytes(gathered)
        gathered.removeAll(keepingCapacity: true)
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

    package mutating func member(_ name: JSONName, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
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
        array(name, values) { $0.element($1) }
    }

    /// A member that is an array.
    package mutating func array<Elements: Sequence>(
        _ name: JSONName, _ elements: Elements, _ each: (inout JSONWriter, Elements.Element) -> Void
    ) {
        key(name)
        array(elements, each)
    }

    private mutating func key(_ name: JSONName) {
        if gathered.count > Self.gatheredAtMost { flush() }
        let separates = separates
        // One look at the array for the whole key.
        gathered.append(addingCapacity: name.longest + 4) { out in
            if separates { out.append(UInt8(ascii: ",")) }
            out.append(UInt8(ascii: "\""))
            name.append(to: &out)
            out.append(UInt8(ascii: "\""))
            out.append(UInt8(ascii: ":"))
        }
        self.separates = false
    }

    private mutating func comma() {
        if separates { gathered.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        gathered.append(bracket)
        separates = false
    }

    private mutating func close(_ bracket: UInt8) {
        gathered.append(bracket)
        separates = true
    }

    /// Text that is JSON already: numbers, `true`, `null`.
    mutating func raw(_ text: String) { gathered.append(contentsOf: text.utf8) }

    /// A string of characters that need no escape, at most `count` of them.
    mutating func quoted(_ count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        gathered.append(addingCapacity: count + 2) { out in
            out.append(UInt8(ascii: "\""))
            write(&out)
            out.append(UInt8(ascii: "\""))
        }
    }

    mutating func string(_ text: String) {
        if gathered.count > Self.gatheredAtMost { flush() }
        gathered.append(UInt8(ascii: "\""))
        if text.utf8.count <= Self.short {
            let start = gathered.count
            gathered.append(contentsOf: text.utf8)
            if JSONEscapes.areNeeded(in: gathered.span.extracting(start...)) {
                gathered.removeSubrange(start...)
                JSONEscapes.append(text, to: &gathered)
            }
        } else if JSONEscapes.areNeeded(in: text.utf8Span.span) {
            JSONEscapes.append(text, to: &gathered)
        } else {
            flush()
            document.writeString(text)
        }
        gathered.append(UInt8(ascii: "\""))
    }
}

/// A member's name: mostly one of ours, which needs no escape.
package struct JSONName: ExpressibleByStringLiteral {
    private enum Spelling {
        case literal(StaticString)
        case escaped([UInt8])
    }

    private let spelling: Spelling

    package init(stringLiteral name: StaticString) { spelling = .literal(name) }

    /// A name that comes from elsewhere.
    package init(_ name: String) {
        var bytes: [UInt8] = []
        JSONEscapes.append(name, to: &bytes)
        spelling = .escaped(bytes)
    }

    /// Bytes it takes at most.
    var longest: Int {
        switch spelling {
        case .literal(let name): name.utf8CodeUnitCount
        case .escaped(let bytes): bytes.count
        }
    }

    func append(to out: inout OutputSpan<UInt8>) {
        switch spelling {
        // Unsafe by its type only: the bytes of a literal live as long as the program.
        case .literal(let name): unsafe name.withUTF8Buffer { bytes in unsafe bytes.forEach { out.append($0) } }
        case .escaped(let bytes): for byte in bytes { out.append(byte) }
        }
    }
}
