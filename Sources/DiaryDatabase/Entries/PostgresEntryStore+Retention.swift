package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore: AudioRemovalStore {
    package func removeAudio(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> WriteOutcome {
        try await write(
            member, EntryDeletion.lock(keyID, member.owner), AudioRemoval.asked(id, expecting: version, of: member.owner), entry: id,
            EntryDeletion.deleted)
    }

    package func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError) {
        do { _ = try await uploadTransaction.run(owner, [AudioRemoval.forget(entry, of: owner)]) } catch { throw error.forClient }
    }
}
