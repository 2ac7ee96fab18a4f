package import FoundationEssentials

/// An entry about to exist, its words already sealed.
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

    package init(
        id: EntryID, kind: EntryKind, recordedAt: Date, timeZone: String?, durationSeconds: Double?, sizeBytes: Int64?,
        contentType: String?,
        sha256: [UInt8]?, language: String?, object: UUID?, keyID: UUID, personal: [UInt8], requestHash: [UInt8], idempotencyHash: [UInt8]?
    ) {
        self.id = id
        self.kind = kind
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.object = object
        self.keyID = keyID
        self.personal = personal
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
    }
}
