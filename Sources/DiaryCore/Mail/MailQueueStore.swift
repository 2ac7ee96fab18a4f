/// Queued mails under their jobs, as `diary_worker`.
package protocol MailQueueStore: Sendable {
    /// `ownerGone` when it waits no longer; the job is then finished.
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    /// The mail was sent: its words go.
    /// - Returns: the kind of the job that was committed; nil when there is none.
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}
