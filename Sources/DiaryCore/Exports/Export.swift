package import FoundationEssentials

package struct Export: Sendable, Equatable {
    package var id: ExportID
    package var from: CalendarDay
    package var to: CalendarDay
    /// The account's when the export was asked for: the zone of times on its page and in its mail. Days are those of the entries.
    package var timeZone: String
    package var contents: ExportContents
    package var status: ExportStatus
    package var code: ProcessingCode?
    package var mailStatus: ExportMailStatus
    package var object: UUID?
    package var sizeBytes: Int64?
    package var entryCount: Int?
    package var createdAt: Date
    package var readyAt: Date?
    package var expiresAt: Date?
    package var downloads: Int
    package var maxDownloads: Int
    package var revokedAt: Date?
    /// The account's, as its page and its mail are written; read with a linked export only.
    package var locale: String?
    /// Of a finished export in several parts; empty for one in one piece.
    package var parts: [ExportPart] = []
    /// While it is built.
    package var progress: ExportProgress?

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, timeZone: String, contents: ExportContents, status: ExportStatus, code: ProcessingCode?,
        mailStatus: ExportMailStatus, object: UUID?, sizeBytes: Int64?, entryCount: Int?, createdAt: Date, readyAt: Date?, expiresAt: Date?,
        downloads: Int, maxDownloads: Int, revokedAt: Date?
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.contents = contents
        self.status = status
        self.code = code
        self.mailStatus = mailStatus
        self.object = object
        self.sizeBytes = sizeBytes
        self.entryCount = entryCount
        self.createdAt = createdAt
        self.readyAt = readyAt
        self.expiresAt = expiresAt
        self.downloads = downloads
        self.maxDownloads = maxDownloads
        self.revokedAt = revokedAt
    }
}
