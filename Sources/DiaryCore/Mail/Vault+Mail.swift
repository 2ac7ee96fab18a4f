import DiaryCrypto
package import FoundationEssentials

extension Vault.Part {
    /// JSON.
    package static let payload = Vault.Part(name: "payload", table: "mails")
}

extension Vault {
    /// Seals a mail for the queue.
    package func mail(_ kind: MailKind, _ payload: MailPayload, at now: Date) throws(DiaryError) -> QueuedMail {
        let id = MailID(UUIDv7.make(at: now))
        return QueuedMail(id: id, kind: kind, payload: try seal(payload, as: .payload, row: id.uuid), keyID: key.id, subject: nil)
    }
}
