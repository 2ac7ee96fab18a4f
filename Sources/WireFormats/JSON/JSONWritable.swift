package import FoundationEssentials

/// A value that `JSONWriter` can write.
@usableFromInline
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { self ? writer.raw("true") : writer.raw("false") }
}

extension Int: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.number(String(self)) }
}

extension Int64: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { writer.number(String(self)) }
}

/// JSON has no infinity and no NaN: `null`.
extension Double: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) { isFinite ? writer.number(description) : writer.raw("null") }
}

/// Not by `JSONWritable`: an inlinable conformance of Foundation's type would need a public import.
extension JSONWriter {
    /// RFC 3339 in UTC with milliseconds.
    package mutating func member(_ name: JSONName, _ date: Date) {
        let (first, second, third) = RFC3339.characters(date)
        key(name)
        quoted { bytes in
            bytes.append(characters: first, 8)
            bytes.append(characters: second, 8)
            bytes.append(characters: third, 8)
        }
        separates = true
    }

    /// `null` for nil.
    package mutating func member(_ name: JSONName, _ date: Date?) {
        if let date { member(name, date) } else { null(name) }
    }
}

/// A member's name: mostly a literal of the code, which needs no escape.
@usableFromInline
package struct JSONName: ExpressibleByStringLiteral {
    @usableFromInline
    enum Spelling {
        case literal(StaticString)
        case escaped([UInt8])
    }

    @usableFromInline let spelling: Spelling

    @inlinable @inline(__always)
    package init(stringLiteral name: StaticString) { spelling = .literal(name) }

    /// A name that is not known when the code is compiled.
    package init(_ name: String) {
        var bytes: [UInt8] = []
        JSONEscapes.append(name, to: &bytes)
        spelling = .escaped(bytes)
    }
}
