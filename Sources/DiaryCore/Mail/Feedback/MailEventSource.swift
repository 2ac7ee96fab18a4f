/// A provider whose reports are believed: what its signatures are checked with, and the app whose mails it sends.
package struct MailEventSource<Signer: Sendable>: Sendable {
    let signer: Signer
    /// nil for the installation's provider.
    let app: TenantID?
}
