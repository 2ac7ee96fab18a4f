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

/// An `Idempotency-Key` that a request claims: stored in the transaction of the request's write, with an id to answer a repetition from,
/// never a body.
package struct KeyClaim: Sendable {
    /// The operations that take a key; one key may be used for each. Stored.
    package enum Operation: String, Sendable, CaseIterable {
        case entry, export, reprocess, identity, batch, copy
        case imported = "import"
        case exportMail = "export_mail"
        case schedule
        case scheduleRun = "schedule_run"
        case addressProof = "address_proof"
        case memberProof = "member_proof"
        case code
        case speaker
    }

    package var operation: Operation
    /// Keyed hash of the key.
    package var keyHash: [UInt8]
    /// Keyed hash of the request; a repetition has the same.
    package var requestHash: [UInt8]
    /// The id of the entity from which the answer to a repetition is rendered.
    package var subject: UUID
}

/// The `Idempotency-Key` of a request.
package struct RequestKey: Sendable {
    /// nil when none was sent.
    package var text: String?
    /// False for a request over its limits, which may only repeat an earlier answer.
    package var mayWrite: Bool

    package init(_ text: String?, mayWrite: Bool = true) {
        self.text = text
        self.mayWrite = mayWrite
    }

    package static let none = RequestKey(nil)
}
