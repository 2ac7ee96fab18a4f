package import FoundationEssentials

/// An entry to be inserted, its text already sealed.
package struct NewEntry: Sendable {
    package var id: EntryID
    package var kind: EntryKind
    package var recordedAt: Date
    /// nil: the member's own zone.
    package var timeZone: String?
    package var durationSeconds: Double?
    package var sizeBytes: Int64?
    package var contentType: String?
    package var sha256: [UInt8]?
    package var language: String?
    package var object: UUID?
    package var keyID: UUID
    /// Content version 1.
    package var personal: [UInt8]
    /// Keyed hash of the request; a retry has the same.
    package var requestHash: [UInt8]
    /// Keyed hash of the `Idempotency-Key`, when one was sent.
    package var idempotencyHash: [UInt8]?
    /// False when only an earlier request's entry may be the answer.
    package var mayCreate = true
}
