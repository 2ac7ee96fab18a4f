package enum DateOrder: String, Sendable { case newestFirst = "desc", oldestFirst = "asc" }

/// A listing by date: days of the diary (`EntryFacts.day`), inclusive.
package struct DateQuery: Sendable {
    package var from: CalendarDay?
    package var to: CalendarDay?
    package var order: DateOrder
    package var after: DatePosition?
    package var limit: Int
    package var filter: EntryFilter = EntryFilter()
    package var view: EntryView = .full

    package init(
        from: CalendarDay?, to: CalendarDay?, order: DateOrder, after: DatePosition?, limit: Int, filter: EntryFilter = EntryFilter(),
        view: EntryView = .full
    ) {
        self.from = from
        self.to = to
        self.order = order
        self.after = after
        self.limit = limit
        self.filter = filter
        self.view = view
    }
}
