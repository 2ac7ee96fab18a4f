package import FoundationEssentials

/// A new personal part of an entry, and the facts that its owner changes with it.
package struct PersonalRewrite: Sendable {
    package var id: EntryID
    package var sealed: SealedColumn
    /// Hashes of the tags and the mood in the sealed part.
    package var labelHashes: [Int64] = []
    /// The version of the part that was read.
    package var expecting: Int64
    /// A change clears the code `language_unsupported`, so that a retry is possible.
    package var language = Patch<String>.absent
    /// nil: as it was.
    package var favorite: Bool?
    /// nil: as it was.
    package var keepAudio: Bool?
    /// nil: as it was. Either of the two moves the wall clock and the day of the diary with it.
    package var recordedAt: Date?
    package var timeZone: String?
    /// The edited text that this write replaces or clears.
    package var replaced: SealedRevision?
    /// nil: as they were.
    package var corrections: CorrectionsWrite?
}
