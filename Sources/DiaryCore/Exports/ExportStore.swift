package import FoundationEssentials

package enum ExportStatus: String, Sendable, CaseIterable { case queued, building, ready, failed }
package enum ExportMailStatus: String, Sendable, CaseIterable { case waiting, sent, failed }

package struct Export: Sendable, Equatable {
    package var id: ExportID
    package var from: CalendarDay
    package var to: CalendarDay
    package var timeZone: String
    package var includeAudio: Bool
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

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, timeZone: String, includeAudio: Bool, status: ExportStatus, code: ProcessingCode?,
        mailStatus: ExportMailStatus, object: UUID?, sizeBytes: Int64?, entryCount: Int?, createdAt: Date, readyAt: Date?, expiresAt: Date?,
        downloads: Int, maxDownloads: Int, revokedAt: Date?
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.includeAudio = includeAudio
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

package struct NewExport: Sendable {
    package var id: ExportID
    package var from: CalendarDay
    package var to: CalendarDay
    /// nil: the member's own zone.
    package var timeZone: String?
    package var includeAudio: Bool
    package var maxDownloads: Int
    package var job: JobID
    package var requestHash: [UInt8]
    package var idempotencyHash: [UInt8]?
    /// For the event.
    package var requestID: String?

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, timeZone: String?, includeAudio: Bool, maxDownloads: Int, job: JobID,
        requestHash: [UInt8],
        idempotencyHash: [UInt8]?, requestID: String? = nil
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.includeAudio = includeAudio
        self.maxDownloads = maxDownloads
        self.job = job
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
        self.requestID = requestID
    }
}

package enum ExportCreateOutcome: Sendable {
    case created(Export)
    case replayed(Export)
    case keyReused
    /// No address of the account is verified (D11).
    case addressNotVerified
}

/// Exports as `diary_api`.
package protocol ExportStore: Sendable {
    /// Export and its job in one transaction.
    func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome
    func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export?
    /// Newest first.
    func exports(limit: Int, of member: Member) async throws(DiaryError) -> [Export]
    /// Revokes the link at once; the sweeper takes the zip. False when there is none.
    func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool

    // The holder of a mailed link has no session: the link's signature has been checked, and names owner and export.
    /// nil when it is gone, revoked, not ready or expired.
    func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export?
    /// Counts one download, and notes it among the account's events; nil when none is left (E3).
    func takeDownload(_ id: ExportID, of owner: Owner, requestID: String?) async throws(DiaryError) -> Export?
}
