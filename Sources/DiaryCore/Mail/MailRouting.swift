/// Finds the service by which an app's mail leaves.
package protocol MailRouting: Sendable {
    /// - Throws: `misconfigured` when the app's own service cannot be used as it is set, `unavailable` when its secret cannot be read now.
    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport
}
