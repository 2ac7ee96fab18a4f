package import DiaryCore
package import FoundationEssentials
package import WireFormats

extension ID: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.quoted { $0.append(atMost: 36) { uuid.appendLowercase(to: &$0) } }
    }
}

extension CalendarDay: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.quoted { bytes in
            bytes.append(characters: RFC3339.characters(year: year, month: month), 8)
            bytes.append(characters: RFC3339.pair(UInt64(day.magnitude)), 2)
        }
    }
}

extension JSONWriter {
    /// An id without a type of its own.
    package mutating func member(_ name: JSONName, _ id: UUID?) { member(name, id.map { ID<UUID>($0) }) }
}
