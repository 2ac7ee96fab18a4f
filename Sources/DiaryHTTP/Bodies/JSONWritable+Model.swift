package import DiaryCore
package import FoundationEssentials
package import WireFormats

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
