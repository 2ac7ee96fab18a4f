package import FoundationEssentials

/// A page of a list.
package struct ListPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The position of the next page; nil at the end.
    package var next: ListPosition?

    /// - Parameter found: one more than `limit`, when there are more.
    init(_ found: [Item], limit: Int, position: (Item) -> ListPosition) {
        items = Array(found.prefix(limit))
        next = found.count > limit ? items.last.map(position) : nil
    }
}

/// A place in a list that is ordered by time and id, newest first.
package struct ListPosition: Sendable, Equatable {
    package var at: Date
    package var id: UUID

    /// Opaque to clients; of the same form as that of entries by date.
    package var text: String { DateCursor(position: DatePosition(recordedAt: at, id: EntryID(id))).text }
}

extension ListPosition {
    package init?(parsing text: String) {
        guard let cursor = DateCursor(parsing: text) else { return nil }
        self.init(at: cursor.position.recordedAt, id: cursor.position.id.uuid)
    }
}
