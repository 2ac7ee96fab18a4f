package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: ImportStore {
    package func create(_ new: NewImport, by member: Member) async throws(DiaryError) -> ImportCreateOutcome { .created(Stub.imported) }
    package func find(_ id: ImportID, of member: Member) async throws(DiaryError) -> Import? {
        id == Stub.imported.id ? Stub.imported : nil
    }
    package func imports(
        before position: ListPosition?, limit: Int, status: ImportStatus?, of member: Member
    ) async throws(DiaryError) -> [Import] {
        Array([Stub.imported].prefix(limit))
    }
    package func items(
        of id: ImportID, after number: Int64, limit: Int, _ member: Member
    ) async throws(DiaryError) -> [StoredImportItem]? {
        guard id == Stub.imported.id else { return nil }
        return [StoredImportItem(item: ImportItem(number: 100, outcome: .skipped, code: .attachmentNotSupported, count: 3), name: nil)]
    }
    package func complete(
        _ id: ImportID, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> ImportCompleteOutcome { .missing }
    package func reopen(_ id: ImportID, windowSeconds: Int, by member: Member) async throws(DiaryError) -> Import? { nil }
    package func delete(_ id: ImportID, by member: Member) async throws(DiaryError) -> DeletedImport? { nil }
    package func partUpload(of id: ImportID, by member: Member) async throws(DiaryError) -> PartUploadState? { nil }
    package func openPartUpload(
        _ opening: PartUploadOpening, of id: ImportID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? { nil }
    package func closePartUpload(_ upload: String, of id: ImportID, by member: Member) async throws(DiaryError) -> Bool { false }
    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState { .gone }
}

extension Stub {
    package static let imported = Import(
        id: ImportID(UUID()), status: .finished, code: nil, source: .dayOne, sizeBytes: 5, sha256: nil, object: nil,
        createdAt: Date(timeIntervalSince1970: 1_780_000_000), uploadExpiresAt: Date(timeIntervalSince1970: 1_780_086_400), finishedAt: nil,
        total: 4, done: 4, counts: ImportCounts(created: 2, unchanged: 1, skipped: 1))
}
