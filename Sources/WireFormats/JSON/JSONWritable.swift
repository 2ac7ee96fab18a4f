package import DiaryCore
package import FoundationEssentials

/// What `JSONWriter` knows how to spell.
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

extension UUID: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.quoted { $0.append(atMost: 36) { appendLowercase(to: &$0) } }
    }
}

extension ID: JSONWritable {
    package func write(to writer: inout JSONWriter) { uuid.write(to: &writer) }
}

extension CalendarDay: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.quoted { bytes in
            bytes.append(characters: RFC3339.characters(year: year, month: month), 8)
            bytes.append(characters: RFC3339.pair(UInt64(day.magnitude)), 2)
        }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let value = self { value.write(to: &writer) } else { writer.raw("null") }
    }
}
