package import FoundationEssentials

/// Writes the text of a queued mail.
package protocol MailComposer: Sendable {
    /// - Throws: `refused` when the mail can never be written.
    func compose(_ content: MailContent) throws(MailFailure) -> OutgoingMessage
}

/// The values that a mail is composed from.
package struct MailContent: Sendable {
    package var kind: MailKind
    package var payload: MailPayload
    package var mail: MailID
    package var tenant: Tenant
    /// Always given for `exportReady`.
    package var export: ReadyExport? = nil
    /// Where the service's own words are looked for, the best first (``MailLocale/chain(_:app:)``).
    package var locales: [String] = ["en"]
    /// The app's own words.
    package var words: MailWords? = nil

    package init(
        kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport? = nil, locales: [String] = ["en"],
        words: MailWords? = nil
    ) {
        self.kind = kind
        self.payload = payload
        self.mail = mail
        self.tenant = tenant
        self.export = export
        self.locales = locales
        self.words = words
    }
}

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
