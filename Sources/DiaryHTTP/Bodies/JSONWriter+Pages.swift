import DiaryCore
import WireFormats

extension JSONWriter {
    /// A list: its rows, and the members that lists have in common. A list without pages has no `next`.
    mutating func page<Item>(_ name: JSONName, _ items: [Item], next: ListPosition? = nil, _ write: (Item, inout JSONWriter) -> Void) {
        array(name, items) { w, item in w.object { write(item, &$0) } }
        member("next_cursor", next?.text)
        member("has_more", next != nil)
    }
}
