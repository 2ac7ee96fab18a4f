package import FoundationEssentials

/// A deletion under lease. `attempt` fences every write (decision D2).
package struct LeasedDeletion: Sendable, Equatable {
    package let id: DeletionID
    package let subjectSealed: [UInt8]
    package let attempt: Int
    package let isKeyDestroyed: Bool
    /// Only late uploads are still looked for.
    package let isErased: Bool

    package init(id: DeletionID, subjectSealed: [UInt8], attempt: Int, isKeyDestroyed: Bool, isErased: Bool) {
        self.id = id
        self.subjectSealed = subjectSealed
        self.attempt = attempt
        self.isKeyDestroyed = isKeyDestroyed
        self.isErased = isErased
    }
}

/// Accounts that were looked at for sign-ups that nobody has confirmed.
package struct SignUpPage: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package var createdAt: Date
        package var user: UserID

        package init(createdAt: Date, user: UserID) {
            self.createdAt = createdAt
            self.user = user
        }
    }

    package var abandoned: [Owner]
    /// nil when this was the last page.
    package var next: Place?

    package init(abandoned: [Owner], next: Place?) {
        self.abandoned = abandoned
        self.next = next
    }
}

/// Carrying deletions out, as `diary_worker`. Every note renews the lease; `leaseLost` when another worker has the deletion.
package protocol DeletionStore: Sendable {
    func claim(limit: Int, leaseSeconds: Double) async throws(WorkError) -> [LeasedDeletion]
    func noteKeyDestroyed(_ deletion: LeasedDeletion, leaseSeconds: Double) async throws(WorkError)
    /// - Parameter found: objects that were there before the first was removed.
    func noteObjects(_ deletion: LeasedDeletion, found: Int, leaseSeconds: Double) async throws(WorkError)
    /// Up to `most` each of what an account may have much of: entries with their words, sessions, events, mails, jobs, idempotency keys.
    /// - Returns: the largest number of one kind; 0 when nothing is left.
    func eraseBatch(_ deletion: LeasedDeletion, of owner: Owner, most: Int, leaseSeconds: Double) async throws(WorkError) -> Int
    /// Everything else of the account; it is erased with this.
    /// - Returns: how many sessions there were; ended ones count for at least a month.
    func eraseMember(_ deletion: LeasedDeletion, of owner: Owner) async throws(WorkError) -> Int
    /// A look for what came late; the last one, after which nobody knows whose deletion it was, or another one later.
    func finishPass(_ deletion: LeasedDeletion, lateObjects: Int) async throws(WorkError)
    /// Something was away: again after a while.
    func postpone(_ deletion: LeasedDeletion, seconds: Double) async throws(WorkError)
    /// A page of accounts that are a week old, in order of time and id.
    /// - Parameter after: where the page before ended; nil for the first.
    func signUps(after: SignUpPage.Place?, limit: Int) async throws(WorkError) -> SignUpPage
    /// - Returns: false when it is none any more; nothing has happened then.
    func requestErasure(ofSignUp owner: Owner, _ deletion: NewDeletion) async throws(WorkError) -> Bool
    /// Receipts end 30 days after their deletion.
    func sweepDeletions() async throws(WorkError)
}
