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
