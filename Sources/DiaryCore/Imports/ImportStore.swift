package import FoundationEssentials

/// An import to be inserted, with the object that its zip will be stored as.
package struct NewImport: Sendable {
    package var id: ImportID
    package var sizeBytes: Int64
    package var sha256: [UInt8]?
    package var object: UUID
    package var keyID: UUID
    package var windowSeconds: Int
    package var requestHash: [UInt8]
    package var idempotencyHash: [UInt8]?
    /// False when only an earlier request's import may be the answer.
    package var mayCreate = true
}

package enum ImportCreateOutcome: Sendable {
    case created(Import)
    case replayed(Import)
    case keyReused
}

package enum ImportCompleteOutcome: Sendable {
    case enqueued(Import, hasParts: Bool)
    /// Nothing was done: it is complete already, or has ended.
    case already(Import)
    case missing
}

/// What was deleted with an import's row.
package struct DeletedImport: Sendable {
    package var object: UUID?
    package var hasParts: Bool

    package init(object: UUID?, hasParts: Bool) {
        self.object = object
        self.hasParts = hasParts
    }
}

/// Imports, by the database role `diary_api`: every call is one round trip; those with a member begin with the session check.
package protocol ImportStore: Sendable {
    func create(_ new: NewImport, by member: Member) async throws(DiaryError) -> ImportCreateOutcome
    func find(_ id: ImportID, of member: Member) async throws(DiaryError) -> Import?
    /// Newest first, in one state where it is given.
    func imports(
        before position: ListPosition?, limit: Int, status: ImportStatus?, of member: Member
    ) async throws(DiaryError) -> [Import]
    /// In the order of the report.
    /// - Returns: nil when there is no such import.
    func items(of id: ImportID, after number: Int64, limit: Int, _ member: Member) async throws(DiaryError) -> [StoredImportItem]?
    /// Its zip is in the store: enqueues the job.
    func complete(_ id: ImportID, keyID: UUID, job: NewJob, by member: Member) async throws(DiaryError) -> ImportCompleteOutcome
    /// A longer window for one that waits; nil when it does not.
    func reopen(_ id: ImportID, windowSeconds: Int, by member: Member) async throws(DiaryError) -> Import?
    /// Deletes the import; its entries stay.
    func delete(_ id: ImportID, by member: Member) async throws(DiaryError) -> DeletedImport?

    func partUpload(of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState?
    func openPartUpload(_ opening: PartUploadOpening, of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState?
    func closePartUpload(_ upload: String, of id: ImportID, by member: Member) async throws(DiaryError) -> Bool

    // Without a session: the upload URL's signature has authenticated the caller.
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState
    func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState
}
