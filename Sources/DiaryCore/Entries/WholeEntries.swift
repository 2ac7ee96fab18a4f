package import FoundationEssentials

/// Whole entries, with what other tables have of them, by the database role `diary_api`. Every call begins with the session check.
package protocol WholeEntryStore: Sendable {
    /// All that is stored of an entry but its earlier texts.
    /// - Returns: nil for a missing entry.
    func whole(_ id: EntryID, of member: Member) async throws(DiaryError) -> WholeEntry?
    /// Makes an entry beside the one that it is a copy of, with its facts as they are now, and the job that checks its recording.
    /// - Returns: nil when the other one is gone.
    /// - Throws: also `storageExceeded`.
    func copy(_ copy: NewEntryCopy, by member: Member) async throws(DiaryError) -> StoredEntry?
}

/// An entry as its export reads it, and of its owner the preferences and what is stored.
package struct WholeEntry: Sendable {
    package var stored: StoredExportEntry
    package var timeZone: String
    package var locale: String?
    /// The speaker profiles that its corrections point to.
    package var profiles: [StoredSpeakerProfile]
    /// Of the account's recordings.
    package var storedBytes: Int64

    package init(
        stored: StoredExportEntry, timeZone: String, locale: String?, profiles: [StoredSpeakerProfile] = [], storedBytes: Int64 = 0
    ) {
        self.stored = stored
        self.timeZone = timeZone
        self.locale = locale
        self.profiles = profiles
        self.storedBytes = storedBytes
    }
}

/// An entry to be inserted as a copy of another, its parts sealed for its own row, each in version 1.
package struct NewEntryCopy: Sendable {
    /// A recording that has been stored at its final key, under an object of its own.
    package struct Recording: Sendable {
        package var object: UUID
        package var sizeBytes: Int64
        package var contentType: String
        package var sha256: [UInt8]
        /// Checks it.
        package var job: NewJob
    }

    package var id: EntryID
    package var source: EntryID
    package var keyID: UUID
    package var personal: [UInt8]
    package var labelHashes: [Int64]
    package var machine: [UInt8]?
    package var segments: [UInt8]?
    package var corrections: [UInt8]?
    /// The speaker profiles that the corrections point to, once each.
    package var speakers: [UUID] = []
    /// nil for a text, and for a recording that was removed.
    package var recording: Recording?
    /// What the account may store; nil without a limit.
    package var storageLimit: Int64?
    package var claim: KeyClaim?
}
