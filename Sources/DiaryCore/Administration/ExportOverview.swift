package import FoundationEssentials

/// An export as operators see it: states, times, counts; no word of a diary, no address, no link.
package struct ExportOverview: Sendable, Equatable {
    package var id: ExportID
    /// nil: from the first entry on.
    package var from: CalendarDay?
    /// nil: to the last entry.
    package var to: CalendarDay?
    package var contents: ExportContents
    package var kind: EntryKind?
    /// Which tags, only the account's key tells.
    package var hasTags: Bool
    package var status: ExportStatus
    package var code: ProcessingCode?
    package var mailStatus: ExportMailStatus
    package var sizeBytes: Int64?
    package var entryCount: Int64?
    package var createdAt: Date
    package var readyAt: Date?
    package var expiresAt: Date?
    package var downloads: Int64
    package var maxDownloads: Int64
    package var revokedAt: Date?

    package init(
        id: ExportID, from: CalendarDay?, to: CalendarDay?, contents: ExportContents, kind: EntryKind?, hasTags: Bool, status: ExportStatus,
        code: ProcessingCode?, mailStatus: ExportMailStatus, sizeBytes: Int64?, entryCount: Int64?, createdAt: Date, readyAt: Date?,
        expiresAt: Date?, downloads: Int64, maxDownloads: Int64, revokedAt: Date?
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.contents = contents
        self.kind = kind
        self.hasTags = hasTags
        self.status = status
        self.code = code
        self.mailStatus = mailStatus
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

/// An export that an administrator asks for.
package struct AdministeredExport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case created
        /// The account is disabled or being erased, or its app is suspended.
        case closed
        case addressNotVerified = "address_not_verified"
    }

    package let id: ExportID
    package let from: CalendarDay
    package let to: CalendarDay
    /// nil: both.
    package let kind: EntryKind?
    package let contents: ExportContents
    package let maxDownloads: Int
    package let job: NewJob

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, kind: EntryKind?, contents: ExportContents, maxDownloads: Int, job: NewJob
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.kind = kind
        self.contents = contents
        self.maxDownloads = maxDownloads
        self.job = job
    }
}
