package import FoundationEssentials

/// A member's erasure of their account, by the database role `diary_api`.
package protocol ErasureStore: Sendable {
    /// The password of the account's verified address; nil when it has none.
    func passwordHash(of member: Member) async throws(DiaryError) -> String?
    /// Writes the tombstone: sessions, jobs and addresses end, and the deletion is queued for a worker. One transaction.
    /// - Parameter proved: a password was verified just now; without it the session must be fresh.
    /// - Returns: the tombstone's time; nil, and nothing is written, when neither holds.
    func request(_ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin) async throws(DiaryError) -> Date?
    func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion?
}

/// The progress of an erasure, for the holder of its receipt.
package struct Deletion: Sendable, Equatable {
    /// How many of each were deleted.
    package struct Counts: Sendable, Equatable {
        package var entries: Int64 = 0
        package var objects: Int64 = 0
        package var exports: Int64 = 0
        package var mails: Int64 = 0
        package var sessions: Int64 = 0
        package var keys: Int64 = 0
    }

    package var requestedAt: Date
    package var keyDestroyedAt: Date? = nil
    /// Key, objects and rows were deleted.
    package var erasedAt: Date? = nil
    /// The time of the last search for late uploads.
    package var sweptAt: Date? = nil
    package var counts = Counts()

    package init(requestedAt: Date, keyDestroyedAt: Date? = nil, erasedAt: Date? = nil, sweptAt: Date? = nil, counts: Counts = Counts()) {
        self.requestedAt = requestedAt
        self.keyDestroyedAt = keyDestroyedAt
        self.erasedAt = erasedAt
        self.sweptAt = sweptAt
        self.counts = counts
    }
}

package enum Deletions {}
package typealias DeletionID = ID<Deletions>

/// The tombstone and deletion of an account, to be inserted.
package struct NewDeletion: Sendable {
    package var id: DeletionID
    package var receiptHash: [UInt8]
    /// The owner, sealed under the service's key.
    package var subjectSealed: [UInt8]
    /// How long an upload URL that was issued just now stays valid.
    package var uploadSeconds: Int
}
