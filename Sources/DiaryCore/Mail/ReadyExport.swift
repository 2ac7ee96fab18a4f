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
    package var locale: String? = nil
    /// Where one request ends the mails of the schedule that made the export (``OutgoingMessage/unsubscribe``).
    package var unsubscribe: String? = nil
    /// In the zip.
    package var entries: Int? = nil

    package init(
        link: String, from: CalendarDay, to: CalendarDay, expiresAt: Date, timeZone: String, locale: String? = nil,
        unsubscribe: String? = nil, entries: Int? = nil
    ) {
        self.link = link
        self.from = from
        self.to = to
        self.expiresAt = expiresAt
        self.timeZone = timeZone
        self.locale = locale
        self.unsubscribe = unsubscribe
        self.entries = entries
    }
}
