/// Queued mails under their jobs, by the database role `diary_worker`.
package protocol MailQueueStore: Sendable {
    /// `ownerGone` when it is no longer queued, or is wanted no more; the job is then finished.
    func beginMail(_ job: LeasedJob) async throws(WorkError) -> QueuedMail
    /// Records the hash of the mail's address, and reads the reports about that address and the app's own words.
    /// - Parameters:
    ///   - addressHash: as addresses are looked up.
    ///   - isAccountAddress: reports about this address are shown to the account's owner.
    ///   - locales: the first that the app has words in counts.
    func prepareMail(
        _ job: LeasedJob, addressHash: [UInt8], isAccountAddress: Bool, locales: [String]
    ) async throws(WorkError) -> PreparedMail
    /// Marks the mail as sent and deletes its content.
    /// - Returns: the kind of the job that was committed; nil when there is none.
    func finishMail(_ job: LeasedJob) async throws(WorkError) -> JobKind?
}
