package import FoundationEssentials

/// Exports under their jobs, as `diary_worker`.
package protocol ExportBuildStore: Sendable {
    /// `ownerGone` when it was revoked; the job is then finished.
    func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile)
    /// Reads one consistent snapshot of the range, ordered by time and id, in pages of about 4 MiB of sealed parts; `page` is called until it
    /// throws or all is read.
    func readExport(_ export: Export, of owner: Owner, page: @escaping @Sendable ([StoredExportEntry]) async throws -> Void) async throws
    /// Stores the zip's key, and inserts the mail and its job, where a mail was asked for.
    /// - Returns: the kind of the job that was committed; nil when no mail was asked for or the export was revoked meanwhile.
    func finishExport(
        _ job: LeasedJob, object: UUID, keyID: UUID, size: Int64, entryCount: Int, expiresAt: Date, mail: QueuedMail
    ) async throws(WorkError) -> JobKind?
}
