package import FoundationEssentials

/// An export as operators see it: states, times, counts; no word of a diary, no address, no link.
package struct ExportOverview: Sendable, Equatable {
    package var id: ExportID
    package var from: CalendarDay
    package var to: CalendarDay
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
}
