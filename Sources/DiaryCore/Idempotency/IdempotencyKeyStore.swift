package import FoundationEssentials

/// An idempotency key that an earlier request used.
package struct KnownKey: Sendable {
    package var requestHash: [UInt8]
    package var subject: UUID
    /// Results of a batch that has ended: a status code or an error code for each operation.
    package var results: [String]? = nil

    package init(requestHash: [UInt8], subject: UUID, results: [String]? = nil) {
        self.requestHash = requestHash
        self.subject = subject
        self.results = results
    }
}

/// The keys of a member's requests, by the database role `diary_api`. They are written by the stores of the writes, in whose transactions a
/// key that another request has stored meanwhile is answered `concurrent_change`.
package protocol IdempotencyKeyStore: Sendable {
    func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey?
    /// Stores a key by itself, before writes of several transactions that are safe to repeat.
    func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError)
    /// Stores the results with which a repetition of the request is answered.
    func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError)
}
