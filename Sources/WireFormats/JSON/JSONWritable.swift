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
