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

extension CalendarDay {
    /// A date, or the date of an RFC 3339 date-time as it is written, whatever its offset: clients generated from `format: date` send either.
    init?(wire text: String) {
        guard text.utf8.count > 10 else {
            self.init(text)
            return
        }
        guard RFC3339.parse(text) != nil else { return nil }
        self.init(text.prefix(10))
    }
}

extension JSONWriter {
    /// A list: its rows, and the members that lists have in common. A list without pages has no `next`.
    mutating func page<Item>(_ items: [Item], next: ListPosition? = nil, _ write: (Item, inout JSONWriter) -> Void) {
        array("items", items) { w, item in w.object { write(item, &$0) } }
        member("next_cursor", next?.text)
        member("has_more", next != nil)
    }
}
