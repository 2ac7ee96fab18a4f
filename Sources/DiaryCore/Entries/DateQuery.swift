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
}
