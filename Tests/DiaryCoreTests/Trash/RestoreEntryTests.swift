import DiaryTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Restoring an entry")
struct RestoreEntryTests {
    private static func make(hasWork: Bool) throws -> (MemoryTrash, RestoreEntry) {
        var ports = try FeaturePorts.stub()
        let trash = MemoryTrash(hasWork: hasWork)
        ports.trash = trash
        return (trash, TrashFeature(ports).restore)
    }

    @Test("an entry whose work was not finished counts as a new one, once; a finished one does not", arguments: [true, false])
    func charges(hasWork: Bool) async throws {
        let (trash, restore) = try Self.make(hasWork: hasWork)
        let charges = Counter()

        let entry = try await restore.run(Stub.recording.facts.id, by: TestTokens.member) { () async throws(DiaryError) in charges.add() }

        #expect(entry.facts.id == Stub.recording.facts.id)
        #expect(charges.count == (hasWork ? 1 : 0))
        #expect(trash.jobs.withLock { $0.map { $0 != nil } } == (hasWork ? [false, true] : [false]))
    }

    @Test("over the limits an entry whose work was not finished stays in the trash")
    func limited() async throws {
        let (trash, restore) = try Self.make(hasWork: true)

        await #expect(throws: DiaryError(.rateLimited)) {
            _ = try await restore.run(Stub.recording.facts.id, by: TestTokens.member) { () async throws(DiaryError) in
                throw DiaryError(.rateLimited)
            }
        }

        #expect(trash.jobs.withLock { $0.map { $0 != nil } } == [false])
    }
}

/// One entry.
private final class MemoryTrash: TrashStore {
    let hasWork: Bool
    /// Those it was to be restored with.
    let jobs = Mutex<[JobID?]>([])

    init(hasWork: Bool) { self.hasWork = hasWork }

    func restore(_ id: EntryID, keyID: UUID, job: JobID?, by member: Member) async throws(DiaryError) -> RestoreOutcome {
        jobs.withLock { $0.append(job) }
        if hasWork, job == nil { return .needsJob }
        return .restored(Stub.recording, job: hasWork ? .transcribe : nil)
    }

    func moveToTrash(
        _ id: EntryID, expecting version: Int64?, days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome { .missing }
    func moveToTrash(_ ids: [EntryID], days: Int, keyID: UUID, by member: Member) async throws(DiaryError) -> [BatchDeletion] { [] }
    func trash(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        EntryPage([], more: false)
    }
    func endTrash(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome { .missing }
}
