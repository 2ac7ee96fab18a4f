package import DiaryCore
package import FoundationEssentials

/// What the mail about a finished export tells.
package struct ReadyExport: Sendable, Equatable {
    package var link: String
    package var from: CalendarDay
    package var to: CalendarDay
    package var expiresAt: Date
    /// In which `expiresAt` is to be shown.
    package var timeZone: String

    package init(link: String, from: CalendarDay, to: CalendarDay, expiresAt: Date, timeZone: String) {
        self.link = link
        self.from = from
        self.to = to
        self.expiresAt = expiresAt
        self.timeZone = timeZone
    }
}

/// Words for a queued mail.
package protocol MailComposer: Sendable {
    /// - Parameter export: for `exportReady` always there.
    /// - Throws: `refused` when the mail can never be written.
    func compose(
        _ kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport?
    ) throws(MailFailure) -> OutgoingMessage
}
