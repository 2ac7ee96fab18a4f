/// A line of an import's report: what was not imported, and why.
package struct ImportItem: Sendable, Equatable {
    /// Lines of one report.
    package static let most = 10_000

    package enum Outcome: String, Sendable, CaseIterable { case unchanged, skipped, failed }

    package var number: Int64
    package var outcome: Outcome
    package var code: Code
    /// An entry of the account.
    package var entry: EntryID? = nil
    /// How many things of the zip it is about.
    package var count: Int = 1
    /// In the zip.
    package var name: String? = nil

    package init(number: Int64, outcome: Outcome, code: Code, entry: EntryID? = nil, count: Int = 1, name: String? = nil) {
        self.number = number
        self.outcome = outcome
        self.code = code
        self.entry = entry
        self.count = count
        self.name = name
    }

    /// Stored; mirrored in openapi.yaml.
    package enum Code: String, Sendable, CaseIterable {
        /// The account has an entry with the recording.
        case sameRecording = "same_recording"
        /// The entry waits in the trash, from which it can be restored.
        case inTrash = "in_trash"
        /// The entry was deleted, and its copy, too.
        case deleted
        /// Photos, videos and other files that entries cannot hold here.
        case attachmentNotSupported = "attachment_not_supported"
        /// It has neither words nor a recording.
        case noContent = "no_content"
        /// The zip does not have the file.
        case fileMissing = "file_missing"
        /// The file has other bytes than the zip's list says, or does not unpack.
        case fileDamaged = "file_damaged"
        /// Encrypted, a link, or packed in another way than deflate.
        case fileNotSupported = "file_not_supported"
        case recordingTooLarge = "recording_too_large"
        /// No format of recordings that the service knows.
        case recordingNotSupported = "recording_not_supported"
        case storageExceeded = "storage_exceeded"
        /// A part of the entry could not be read when it was exported.
        case exportedDamaged = "exported_damaged"
        /// A field is missing, of another type or beyond its limit.
        case invalidEntry = "invalid_entry"
        /// The list has more bytes or values of it than an import reads of one entry.
        case entryTooLarge = "entry_too_large"
        /// Files of the zip that are part of no known form; once for the zip.
        case unknownFiles = "unknown_files"
        /// Longer than a text may be.
        case textTooLong = "text_too_long"
        /// More tags, or longer ones, than an entry may have.
        case tagsDropped = "tags_dropped"
        /// What other programs wrote beside the words, which could not be read and was left out.
        case detailsDropped = "details_dropped"
        /// The account has the entry with other words, or an earlier version of it. It stays as it is.
        case otherVersion = "other_version"
        /// The zip says that the entry was deleted; the account has it. It stays.
        case deletedInZip = "deleted_in_zip"
    }
}

/// An item as the database holds it, with its name sealed (`Vault.Part.importName`).
package struct StoredImportItem: Sendable {
    package var item: ImportItem
    package var name: [UInt8]?

    package init(item: ImportItem, name: [UInt8]?) {
        self.item = item
        self.name = name
    }
}

extension Vault.Part {
    /// The name of a file in a zip; row = the import's id, version = the item's number.
    package static let importName = Vault.Part(name: "name", table: "import_items")
}
