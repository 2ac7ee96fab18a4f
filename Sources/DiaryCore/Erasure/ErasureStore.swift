package import FoundationEssentials

/// An account about to get its tombstone.
package struct NewDeletion: Sendable {
    package var id: DeletionID
    package var receiptHash: [UInt8]
    /// Whose it is, sealed under the service's key.
    package var subjectSealed: [UInt8]
    /// How long an upload address given just now still works.
    package var uploadSeconds: Int

    package init(id: DeletionID, receiptHash: [UInt8], subjectSealed: [UInt8], uploadSeconds: Int) {
        self.id = id
        self.receiptHash = receiptHash
        self.subjectSealed = subjectSealed
        self.uploadSeconds = uploadSeconds
    }
}

/// What the holder of a receipt sees.
package struct Deletion: Sendable, Equatable {
    /// How many of each are gone.
    package struct Counts: Sendable, Equatable {
        package var entries: Int64 = 0
        package var objects: Int64 = 0
        package var exports: Int64 = 0
        package var mails: Int64 = 0
        package var sessions: Int64 = 0
        package var keys: Int64 = 0

        package init() {}
    }

    package var requestedAt: Date
    package var keyDestroyedAt: Date?
    /// Key, objects and rows are gone.
    package var erasedAt: Date?
    /// The last look for late uploads.
    package var sweptAt: Date?
    package var counts = Counts()

    package init(requestedAt: Date) { self.requestedAt = requestedAt }
}

/// Erasing one's account, as `diary_api`.
package protocol ErasureStore: Sendable {
    /// The password of the account's verified address; nil when it has none.
    func passwordHash(of member: Member) async throws(DiaryError) -> String?
    /// The tombstone: sessions, jobs and addresses end, and the deletion waits for a worker. One transaction.
    /// - Parameter proved: a password was verified just now; without it the session must be fresh.
    /// - Returns: when; nil, and nothing has happened, when nobody has proved who they are.
    func request(_ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin) async throws(DiaryError) -> Date?
    func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion?
}

/// A deletion under lease. `attempt` fences every write (D2).
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
