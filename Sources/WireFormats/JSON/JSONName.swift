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
