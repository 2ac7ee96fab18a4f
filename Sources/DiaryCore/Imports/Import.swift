package import FoundationEssentials

/// The import of a zip by a member, and its progress.
package struct Import: Sendable, Equatable {
    package static let contentType = "application/zip"

    package var id: ImportID
    package var status: ImportStatus
    package var code: ProcessingCode?
    /// Known once the zip has been opened.
    package var source: ImportSource?
    package var sizeBytes: Int64
    package var sha256: [UInt8]?
    /// nil once the zip has been deleted.
    package var object: UUID?
    package var createdAt: Date
    package var uploadExpiresAt: Date
    package var finishedAt: Date?
    /// Elements of the zip's lists; nil before it has been opened.
    package var total: Int64?
    /// How many of the elements, in their order, have been processed.
    package var done: Int64
    package var counts: ImportCounts

    package init(
        id: ImportID, status: ImportStatus, code: ProcessingCode?, source: ImportSource?, sizeBytes: Int64, sha256: [UInt8]?, object: UUID?,
        createdAt: Date, uploadExpiresAt: Date, finishedAt: Date?, total: Int64?, done: Int64, counts: ImportCounts
    ) {
        self.id = id
        self.status = status
        self.code = code
        self.source = source
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.object = object
        self.createdAt = createdAt
        self.uploadExpiresAt = uploadExpiresAt
        self.finishedAt = finishedAt
        self.total = total
        self.done = done
        self.counts = counts
    }

    package var percent: Int {
        guard status != .finished else { return 100 }
        guard let total, total > 0 else { return 0 }
        return Int(clamping: min(99, done * 100 / total))
    }

    /// Why no upload URL is issued any more: the zip has arrived, or the upload window has ended.
    var uploadEnded: DiaryError {
        DiaryError(
            .uploadFinished, detail: code == .uploadExpired ? "The import has expired. Announce the zip in a new one." : nil)
    }
}

package enum ImportStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, importing, finished, failed
}

/// The program that made the zip. Stored.
package enum ImportSource: String, Sendable, CaseIterable {
    /// An export of this service.
    case diary
    case dayOne = "day_one"
}

package enum Imports {}
package typealias ImportID = ID<Imports>

/// How many entries of a zip were imported, and how many were not, by reason.
package struct ImportCounts: Sendable, Equatable {
    package var created: Int64 = 0
    /// The account had them.
    package var unchanged: Int64 = 0
    /// Nothing of theirs can be kept here.
    package var skipped: Int64 = 0
    /// They are damaged or too large, or the account's limits were reached.
    package var failed: Int64 = 0

    package init(created: Int64 = 0, unchanged: Int64 = 0, skipped: Int64 = 0, failed: Int64 = 0) {
        self.created = created
        self.unchanged = unchanged
        self.skipped = skipped
        self.failed = failed
    }
}
