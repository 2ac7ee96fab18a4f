/// Reports of providers, with the hashes that make each count once.
package struct HashedMailEvents: Sendable {
    package var events: [(hash: [UInt8], event: MailEvent)]
    package var provider: MailProvider
    /// nil: of every app, from the installation's provider.
    package var app: TenantID?
    package var requestID: String?
}

/// Applies reports of mail providers, by the database role `diary_auth`.
package protocol MailEventStore: Sendable {
    /// Reports of mails that are not known (any more), of another app, or that were handled before, change nothing.
    /// - Returns: how many changed something.
    func note(_ events: HashedMailEvents) async throws(DiaryError) -> Int
}
