/// Carries out deletions, by the database role `diary_worker`. Each call that takes `leaseSeconds` renews the lease; `leaseLost` when
/// another worker has the deletion.
package protocol DeletionStore: Sendable {
    /// - Parameter running: deletions that this process carries out, also when a lease has ended in a slow step.
    func claim(limit: Int, besides running: Set<DeletionID>, leaseSeconds: Double) async throws(WorkError) -> [LeasedDeletion]
    func noteKeyDestroyed(_ deletion: LeasedDeletion, leaseSeconds: Double) async throws(WorkError)
    /// - Parameter found: the number of objects before the first was removed.
    func noteObjects(_ deletion: LeasedDeletion, found: Int, leaseSeconds: Double) async throws(WorkError)
    /// Deletes up to `most` rows of each kind that an account may have many of: entries with their text, sessions, events, mails, jobs,
    /// idempotency keys.
    /// - Returns: the largest number of one kind; 0 when nothing is left.
    func eraseBatch(_ deletion: LeasedDeletion, of owner: Owner, most: Int, leaseSeconds: Double) async throws(WorkError) -> Int
    /// Deletes everything else of the account; this completes its erasure.
    /// - Returns: how many sessions there were; ended ones are counted for at least a month.
    func eraseMember(_ deletion: LeasedDeletion, of owner: Owner) async throws(WorkError) -> Int
    /// Ends a search for late uploads: another one follows later, or it was the last, and the row no longer names the user.
    func finishPass(_ deletion: LeasedDeletion, lateObjects: Int) async throws(WorkError)
    /// A dependency was unavailable: tries again after a while.
    func postpone(_ deletion: LeasedDeletion, seconds: Double) async throws(WorkError)
}

/// A deletion under lease. `attempt` fences every write (decision D2).
package struct LeasedDeletion: Sendable, Equatable {
    package let id: DeletionID
    package let subjectSealed: [UInt8]
    package let attempt: Int
    package let isKeyDestroyed: Bool
    /// Everything is deleted; only late uploads are still searched for.
    package let isErased: Bool

    package init(id: DeletionID, subjectSealed: [UInt8], attempt: Int, isKeyDestroyed: Bool, isErased: Bool) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.attempt = attempt
        self.isKeyDestroyed = isKeyDestroyed
        self.isErased = isErased
    }
}
