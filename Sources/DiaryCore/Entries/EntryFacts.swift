package import FoundationEssentials

/// The plain columns of an entry: what must be sorted, counted or filtered. A class, so that its columns are not copied each time
/// that a page's entries are passed on between row and answer.
package final class EntryFacts: Sendable {
    package let id: EntryID
    package let kind: EntryKind
    package let status: EntryStatus
    package let processing: Processing?
    package let recordedAt: Date
    package let timeZone: String
    /// The wall clock where it was recorded.
    package let localTime: LocalTime
    /// The date of `localTime` less the owner's `day_ends_at` (decision D17).
    package let day: CalendarDay
    package let createdAt: Date
    package let updatedAt: Date
    package let deletedAt: Date?
    package let durationSeconds: Double?
    package let sizeBytes: Int64?
    package let contentType: String?
    package let sha256: [UInt8]?
    package let language: String?
    /// The object that holds the recording, in staging and after its promotion.
    package let object: UUID?
    package let changeNumber: Int64
    package let favorite: Bool
    /// When an entry stops waiting for its recording; nil unless it waits.
    package let uploadExpiresAt: Date?
    /// Its owner keeps the recording whatever the retention says.
    package let keepAudio: Bool
    /// When the recording was removed and the text was kept.
    package let audioRemovedAt: Date?
    /// Until when a deleted entry can be restored; nil for others.
    package let trashEndsAt: Date?

    package init(
        id: EntryID, kind: EntryKind, status: EntryStatus, processing: Processing?, recordedAt: Date, timeZone: String,
        localTime: LocalTime, day: CalendarDay,
        createdAt: Date, updatedAt: Date, deletedAt: Date?, durationSeconds: Double?, sizeBytes: Int64?, contentType: String?,
        sha256: [UInt8]?,
        language: String?, object: UUID?, changeNumber: Int64, favorite: Bool = false, uploadExpiresAt: Date? = nil,
        keepAudio: Bool = false, audioRemovedAt: Date? = nil, trashEndsAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.status = status
        self.processing = processing
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.localTime = localTime
        self.day = day
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.deletedAt = deletedAt
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.object = object
        self.changeNumber = changeNumber
        self.favorite = favorite
        self.uploadExpiresAt = uploadExpiresAt
        self.keepAudio = keepAudio
        self.audioRemovedAt = audioRemovedAt
        self.trashEndsAt = trashEndsAt
    }

    /// In the years 1900 to 2199 in UTC, so that every local time has four digits of year.
    package static func canBeRecorded(at time: Date) -> Bool { (-2_208_988_800..<7_258_118_400).contains(time.timeIntervalSince1970) }

    /// No recording arrived while the entry waited.
    package var isExpired: Bool { status == .failed && processing?.code == .uploadExpired }

    /// The run of a finished entry that its owner asked for and that failed. The entry itself is as good as before: it is not what
    /// `processing` tells of others. Nil also where it waits for a consent.
    package var failedRun: Processing? {
        guard status == .transcribed, let processing, let code = processing.code, code != .consentRequired else { return nil }
        return processing
    }

    /// The recording is on the device of its owner and not here.
    package var isOnDevice: Bool { kind == .voice && object == nil && audioRemovedAt == nil }

    /// Whether the recording has been verified and is under its final key, also while it waits for the recogniser.
    var isPlayable: Bool {
        if isOnDevice { return false }
        return switch status {
        case .awaitingUpload: false
        case .uploaded: processing.map { $0.stage != .verify } ?? false
        case .failed: processing?.stage != .verify
        case .transcribing, .cleaning, .transcribed: true
        }
    }

    /// `YYYY-MM-DD_HH-mm-ss_<uuid8>`: the wall clock, also after its owner has corrected it. uuid8, which stays, is the id's *last* eight digits (a UUIDv7's first eight change once in 65 s).
    package var stem: String { "\(localTime.stem)_\(Substring(id.description.utf8.suffix(8)))" }

    package var filename: String? {
        guard kind == .voice else { return nil }
        return "\(stem).\(AudioFormat(contentType: contentType ?? "")?.fileExtension ?? "m4a")"
    }
}

/// Plain columns of a new entry that its client, or the zip that it comes from, gives.
package struct GivenFacts: Sendable {
    package var kind: EntryKind
    /// nil, and a zone that the database does not know: the member's own.
    package var timeZone: String? = nil
    package var durationSeconds: Double? = nil
    package var sizeBytes: Int64? = nil
    package var contentType: String? = nil
    package var sha256: [UInt8]? = nil
    package var language: String? = nil
    package var favorite: Bool = false
    package var keepAudio: Bool = false

    package init(
        kind: EntryKind, timeZone: String? = nil, durationSeconds: Double? = nil, sizeBytes: Int64? = nil, contentType: String? = nil,
        sha256: [UInt8]? = nil, language: String? = nil, favorite: Bool = false, keepAudio: Bool = false
    ) {
        self.kind = kind
        self.timeZone = timeZone
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.favorite = favorite
        self.keepAudio = keepAudio
    }
}

package enum Entries {}
package typealias EntryID = ID<Entries>

package enum EntryKind: String, Sendable, CaseIterable { case voice, text }

package enum EntryStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, transcribing, cleaning, transcribed, failed
}
