/// A mail with the link of an export, asked for by its owner.
package struct ExportMailRequest: Sendable {
    package var export: ExportID
    package var mail: MailID
    package var job: NewJob
    /// Stored unless the request is refused.
    package var claim: KeyClaim?
}

package struct ExportMailOutcome: Sendable {
    package var export: Export
    /// No mail goes to another address (decision D11).
    package var addressIsProved: Bool
    /// The job was committed by this call.
    package var isQueued: Bool

    package init(export: Export, addressIsProved: Bool, isQueued: Bool) {
        self.export = export
        self.addressIsProved = addressIsProved
        self.isQueued = isQueued
    }
}
