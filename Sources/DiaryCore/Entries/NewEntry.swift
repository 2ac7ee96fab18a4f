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
    package var favorite = false
    package var keepAudio = false
    package var object: UUID?
    package var keyID: UUID
    /// Content version 1.
    package var personal: [UInt8]
    /// Keyed hashes of its tags and mood (`Vault.hashes`).
    package var labelHashes: [Int64] = []
    /// Keyed hash of the request; a retry has the same.
    package var requestHash: [UInt8]
    /// Keyed hash of the `Idempotency-Key`, when one was sent.
    package var idempotencyHash: [UInt8]?
    /// The length of the upload window.
    package var uploadWindowSeconds = Limits().uploadWindowSeconds
    /// What the account may store; nil without a limit.
    package var storageLimit: Int64?
    /// Refused when the account has a recording with this digest (`duplicateRecording`); nil: not compared.
    package var uniqueDigest: [UInt8]?
    /// False for a request over its limits: only a repetition is answered, with the entry of the earlier request.
    package var mayCreate = true
}
