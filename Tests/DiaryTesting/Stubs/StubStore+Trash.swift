package import FoundationEssentials

@testable package import DiaryCore

extension StubStore: TrashStore {
    package func moveToTrash(
        _ id: EntryID, expecting version: Int64?, days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome { id == Stub.recording.facts.id ? .written(Stub.played) : .missing }
    package func moveToTrash(
        _ ids: [EntryID], days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> [BatchDeletion] { ids.map { $0 == Stub.recording.facts.id ? .deleted(Stub.played) : .missing } }
    package func trash(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        EntryPage([], more: false)
    }
    package func restore(_ id: EntryID, keyID: UUID, job: JobID?, by member: Member) async throws(DiaryError) -> RestoreOutcome {
        id == Stub.recording.facts.id ? .restored(Stub.recording, job: nil) : .missing
    }
    package func endTrash(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome { .missing }
}

extension StubStore: AudioRemovalStore {
    package func removeAudio(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome { version == nil ? .missing : .conflict(Stub.recording) }
    package func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError) {}
}
