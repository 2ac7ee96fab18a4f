package import FoundationEssentials

/// The content of the mail about a finished export.
package struct ReadyExport: Sendable, Equatable {
    package var link: String
    package var from: CalendarDay
    package var to: CalendarDay
    package var expiresAt: Date
    /// The zone that `expiresAt` is shown in.
    package var timeZone: String
    /// The account's, for the order of a date.
    package var locale: String?
    /// Where one request ends the mails of the schedule that made the export (``OutgoingMessage/unsubscribe``).
    package var unsubscribe: String?
    /// In the zip.
    package var entries: Int?
    /// Of these, how many are of days before `from` (`LateEntries`).
    package var late: Int?

    package init(
        link: String, from: CalendarDay, to: CalendarDay, expiresAt: Date, timeZone: String, locale: String? = nil,
        unsubscribe: String? = nil, entries: Int? = nil, late: Int? = nil
    ) {
        self.link = link
        self.from = from
        self.to = to
        self.expiresAt = expiresAt
        self.timeZone = timeZone
        self.locale = locale
        self.unsubscribe = unsubscribe
        self.entries = entries
        self.late = late
    }
}
