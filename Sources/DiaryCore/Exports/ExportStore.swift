package enum ExportCreateOutcome: Sendable {
    case created(Export)
    case replayed(Export)
    case keyReused
    /// A mail was asked for, and no address of the account is verified (decision D11).
    case addressNotVerified
    /// What the selection names cannot be selected.
    case refused(ExportSelectionFault)
}

/// Exports, by the database role `diary_api`.
package protocol ExportStore: Sendable {
    /// Export and its job in one transaction. `rateLimited` when it may not be created and repeats none.
    func create(_ export: NewExport, by member: Member) async throws(DiaryError) -> ExportCreateOutcome
    /// What an export would hold; with tags, entries that may have them. `includeAudio`: with their recordings.
    func estimate(
        _ selection: RequestedSelection, tags: SealedTags?, includeAudio: Bool, of member: Member
    ) async throws(DiaryError) -> Result<ExportEstimate.Counts, ExportSelectionFault>
    func export(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export?
    /// Newest first, of one schedule and in one state where these are given.
    func exports(
        before position: ListPosition?, limit: Int, schedule: ExportScheduleID?, status: ExportStatus?, of member: Member
    ) async throws(DiaryError) -> [Export]
    /// Revokes the link at once; the sweeper deletes the zip. False when there is no such export.
    func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) -> Bool

    /// Counts a download by the signed-in owner and writes the account's event, whatever number the mailed link has left.
    /// - Parameter part: nil for the only one.
    /// - Returns: nil when there is no such export. `taken` is false when it cannot be downloaded now, as its status says, or has no such part.
    func takeOwnDownload(
        _ id: ExportID, part: Int?, by member: Member, requestID: String?
    ) async throws(DiaryError) -> (export: Export, taken: Bool)?
    /// A mail with its job, or the mark that there will be one when the export is ready; neither when a mail is waiting already.
    /// - Returns: nil when there is no such export.
    func mail(_ request: ExportMailRequest, by member: Member) async throws(DiaryError) -> ExportMailOutcome?

    // The holder of a mailed link has no session: the link, whose signature has been checked, names owner and export.
    /// nil when it is deleted, revoked, not ready or expired.
    func linkedExport(_ id: ExportID, of owner: Owner) async throws(DiaryError) -> Export?
    /// Counts one download and writes the account's event; nil when none is left (E3). Each part has the export's number of downloads.
    /// - Parameter part: nil for the only one; nil is answered when the export has no such part.
    func takeDownload(_ id: ExportID, part: Int?, of owner: Owner, requestID: String?) async throws(DiaryError) -> Export?
}

package struct NewExport: Sendable {
    package var id: ExportID
    package var selection: RequestedSelection
    /// The sealed tags of the selection; nil without any.
    package var tags: SealedTags?
    package var contents: ExportContents
    package var maxDownloads: Int
    package var job: NewJob
    package var requestHash: [UInt8]
    package var idempotencyHash: [UInt8]?
    /// For the event.
    package var requestID: String?
    /// nil: mailed if the account has a verified address by then.
    package var mail: Bool?
    /// False when only an earlier request's export may be the answer.
    package var mayCreate = true
}

/// A mail with the link of an export, asked for by its owner.
package struct ExportMailRequest: Sendable {
    package var export: ExportID
    package var mail: MailID
    package var job: NewJob
    /// Stored unless the request is refused.
    package var claim: KeyClaim?
}

package struct ExportMailOutcome: Sendable {
    package var export: Export
    /// No mail goes to another address (decision D11).
    package var addressIsProved: Bool
    /// The job was committed by this call.
    package var isQueued: Bool

    package init(export: Export, addressIsProved: Bool, isQueued: Bool) {
        self.export = export
        self.addressIsProved = addressIsProved
        self.isQueued = isQueued
    }
}
