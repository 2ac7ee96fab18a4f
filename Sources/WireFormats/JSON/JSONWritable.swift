package import FoundationEssentials

/// A value that `JSONWriter` can write.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { self ? writer.raw("true") : writer.raw("false") }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.number(String(self)) }
}

extension Int64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.number(String(self)) }
}

/// JSON has no infinity and no NaN: `null`.
extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { isFinite ? writer.number(description) : writer.raw("null") }
}

/// RFC 3339 in UTC with milliseconds.
extension Date: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        let (first, second, third) = RFC3339.characters(self)
        writer.quoted { bytes in
            bytes.append(characters: first, 8)
            bytes.append(characters: second, 8)
            bytes.append(characters: third, 8)
        }
    }
}
