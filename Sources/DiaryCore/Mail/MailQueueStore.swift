/// Queued mails under their jobs, as `diary_worker`.
package protocol MailQueueStore: Sendable {
    /// `ownerGone` when it is no longer queued; the job is then finished.
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    /// Marks the mail as sent and deletes its content.
    /// - Returns: the kind of the job that was committed; nil when there is none.
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}
