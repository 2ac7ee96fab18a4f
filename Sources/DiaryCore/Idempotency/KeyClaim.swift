package import FoundationEssentials

/// An `Idempotency-Key` that a request claims: stored in the transaction of the request's write, with an id to answer a repetition from,
/// never a body.
package struct KeyClaim: Sendable {
    /// The operations that take a key; one key may be used for each. Stored.
    package enum Operation: String, Sendable, CaseIterable {
        case entry, export, retry, reprocess, identity, batch
        case imported = "import"
        case exportMail = "export_mail"
        case schedule
        case scheduleRun = "schedule_run"
        case addressChange = "address_change"
        case addressProof = "address_proof"
        case memberCode = "member_code"
        case memberProof = "member_proof"
    }

    package var operation: Operation
    /// Keyed hash of the key.
    package var keyHash: [UInt8]
    /// Keyed hash of the request; a repetition has the same.
    package var requestHash: [UInt8]
    /// The id of the entity from which the answer to a repetition is rendered.
    package var subject: UUID
}
