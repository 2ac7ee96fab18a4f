import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

/// Uploads that a sweeper or a worker moves on while the client's `complete` runs.
@Suite("Completing an upload beside others")
struct CompleteUploadTests {
    /// Returns another state of the same entry on each read; the last one stays. Staging is empty.
    final class ChangingStore: Sendable {
        let states: Mutex<[EntryStatus?]>
        let personal: [UInt8]

        init(_ states: [EntryStatus?], id: EntryID, key: DataKey) throws {
            self.states = Mutex(states)
            personal = try Vault(key: key, owner: Stub.owner).seal(PersonalPart(title: "Walk"), as: .personal, row: id.uuid)
        }
    }

    private func complete(_ states: EntryStatus?...) async throws(any Error) -> Entry {
        let ring = try #require(Stub.keyRing)
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let id = EntryID(UUIDv7.make())
        let store = try ChangingStore(states, id: id, key: try await keys.key(of: Stub.owner))
        let use = CompleteUpload(entries: store, objects: StubStore(), keys: keys, jobSignals: NoJobSignals())
        return try await use.run(id, by: TestTokens.member)
    }

    @Test("G5: an entry that a sweeper has completed and a worker moved on since it was read is answered in its present state")
    func completedMeanwhile() async throws {
        let entry = try await complete(.awaitingUpload, .transcribing)

        #expect(entry.facts.status == .transcribing)
        #expect(entry.personal.title == "Walk")
    }

    @Test("G5: an entry that was deleted since it was read is missing")
    func endedMeanwhile() async throws {
        await #expect(throws: DiaryError.notFound) { _ = try await complete(.awaitingUpload, nil) }
    }

    @Test("a recording that never came is incomplete")
    func neverCame() async throws {
        await #expect(throws: DiaryError(.uploadIncomplete)) { _ = try await complete(.awaitingUpload, .awaitingUpload) }
    }
}

extension CompleteUploadTests.ChangingStore: EntryStore {
    func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        let status = states.withLock { states in states.count > 1 ? states.removeFirst() : states.first ?? nil }
        guard let status else { return nil }
        let facts = EntryFacts(
            id: id, kind: .voice, status: status, processing: nil, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now,
            updatedAt: Stub.now, deletedAt: nil, durationSeconds: nil, sizeBytes: 10, contentType: "audio/mp4", sha256: nil,
            language: nil, object: UUIDv7.make(), changeNumber: 1)
        return StoredEntry(facts: facts, personal: SealedColumn(bytes: personal, version: 1), machine: nil)
    }
    func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome { .keyReused }
    func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        .page(EntryPage([], more: false), latest: 1, purgedThrough: 0)
    }
    func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage { EntryPage([], more: false) }
    func rewritePersonal(
        _ id: EntryID, sealed: SealedColumn, expecting version: Int64, language: Patch<String>, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> WriteOutcome { .missing }
    func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        .missing
    }
    func recording(_ id: EntryID, of member: Member) async throws(DiaryError) -> (entry: StoredEntry, linkGeneration: Int64)? { nil }
    func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? { nil }
    func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState { .awaiting }
    func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool { true }
    func completeUpload(
        _ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome { .missing }
    func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome { .missing }
    func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn? { nil }
}
