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
