/// Writes the text of a queued mail.
package protocol MailComposer: Sendable {
    /// - Parameter export: always given for `exportReady`.
    /// - Throws: `refused` when the mail can never be written.
    func compose(
        _ kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport?
    ) throws(MailFailure) -> OutgoingMessage
}
