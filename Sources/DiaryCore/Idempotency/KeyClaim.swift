package import FoundationEssentials

/// A key, to be stored in the transaction of the write that it names: ids and status, never a body.
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
    /// What a repeated answer is rendered from.
    package var subject: UUID
}
