/// Queued mails under their jobs, by the database role `diary_worker`.
package protocol MailQueueStore: Sendable {
    /// `ownerGone` when it is no longer queued, or is wanted no more; the job is then finished.
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    /// Notes the address that the mail goes to, and tells what is known of it and which words the app has.
    /// - Parameters:
    ///   - addressHash: as addresses are looked up.
    ///   - locales: the first that the app has words in counts.
    func prepareMail(
        _ job: LeasedJob, addressHash: [UInt8], kind: MailKind, locales: [String]
    ) async throws(WorkError) -> PreparedMail
    /// Marks the mail as sent and deletes its content.
    /// - Returns: the kind of the job that was committed; nil when there is none.
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}
