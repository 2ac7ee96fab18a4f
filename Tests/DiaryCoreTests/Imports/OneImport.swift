import DiaryTesting
import FoundationEssentials
import Synchronization

@testable import DiaryCore

/// An account's only import, which the tests put into a state.
final class OneImport: ImportStore {
    private let state: Mutex<Import>

    init(_ status: ImportStatus, code: ProcessingCode? = nil, expiresAt: Date = Stub.now + 100_000) {
        state = Mutex(
            Import(
                id: ImportID(UUID()), status: status, code: code, source: nil, sizeBytes: 10, sha256: nil, object: UUID(),
                createdAt: Stub.now - 100, uploadExpiresAt: expiresAt, finishedAt: nil, total: nil, done: 0, counts: ImportCounts()))
    }

    var now: Import { state.withLock { $0 } }

    func create(_ new: NewImport, by member: Member) async throws(DiaryError) -> ImportCreateOutcome { .replayed(now) }
    func find(_ id: ImportID, of member: Member) async throws(DiaryError) -> Import? { id == now.id ? now : nil }
    func imports(
        before position: ListPosition?, limit: Int, status: ImportStatus?, of member: Member
    ) async throws(DiaryError) -> [Import] { [now] }
    func items(of id: ImportID, after number: Int64, limit: Int, _ member: Member) async throws(DiaryError) -> [StoredImportItem]? { [] }
    func complete(_ id: ImportID, keyID: UUID, job: NewJob, by member: Member) async throws(DiaryError) -> ImportCompleteOutcome {
        .already(now)
    }
    func reopen(_ id: ImportID, windowSeconds: Int, by member: Member) async throws(DiaryError) -> Import? {
        state.withLock { state in
            guard state.status == .awaitingUpload else { return nil }
            state.uploadExpiresAt = Stub.now + Double(windowSeconds)
            return state
        }
    }
    func delete(_ id: ImportID, by member: Member) async throws(DiaryError) -> DeletedImport? { nil }

    func partUpload(of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState? { parts(set: nil, nil) }
    func openPartUpload(_ opening: PartUploadOpening, of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        parts(set: opening.id, opening.partSize)
    }
    func closePartUpload(_ upload: String, of id: ImportID, by member: Member) async throws(DiaryError) -> Bool { false }
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState { .gone }
    func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState { .gone }

    private func parts(set: String?, _ partSize: Int64?) -> PartUploadState {
        let key = ObjectKey(kind: .staging, tenant: Stub.owner.tenant, user: Stub.owner.user, object: now.object ?? UUID())
        return PartUploadState(
            isOpen: now.status == .awaitingUpload, key: key, contentType: Import.contentType, size: now.sizeBytes, id: set,
            partSize: partSize)
    }
}
