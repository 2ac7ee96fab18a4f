package enum ExportCreateOutcome: Sendable {
    case created(Export)
    case replayed(Export)
    case keyReused
    /// No address of the account is verified (decision D11).
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
