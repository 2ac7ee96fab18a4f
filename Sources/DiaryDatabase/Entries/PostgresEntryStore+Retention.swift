package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore: AudioRemovalStore {
    package func removeAudio(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        try await write(
            member, EntryDeletion.lock(keyID, member.owner), AudioRemoval.asked(id, expecting: version, of: member.owner), entry: id
        ) { try StoredRecording(&$0) }
    }

    package func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError) {
        try await uploadTransaction.forClient(owner).run([AudioRemoval.forget(entry, of: owner)])
    }
}

/// Statements that remove the recording of a finished entry. The account's lock comes first, in a statement of its own.
enum AudioRemoval {
    /// Removal inside the trash draws no change number: the tombstone keeps its place in the feed. A recognition that failed cannot be had
    /// any more, so that the entry no longer asks its owner for what it would need.
    private static let mark = """
        update entries e set audio_removed_at = clock_timestamp(),
            stage_code = case when e.stage is distinct from '\(JobKind.transcribe.rawValue)' then e.stage_code end,
            updated_at = case when e.deleted_at is null then clock_timestamp() else e.updated_at end,
            change_number = case when e.deleted_at is null then s.change_number else e.change_number end
        from user_sync s
        where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
            and e.kind = 'voice' and e.status = 'transcribed' and e.object_id is not null and e.audio_removed_at is null
        """

    private static let asked = SQL(
        """
        with gone as (
            \(mark) and e.deleted_at is null and ($4::bigint is null or e.personal_version = $4)
            returning \(EntryColumns.list))
        \(EntryDeletion.withCopy)
        """)

    private static let overdue = SQL("\(mark) and not e.keep_audio and (e.deleted_at is null or e.trash_ends_at is not null)")

    private static let forget = SQL(
        """
        with forgotten as (
            update entries e set object_id = null
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.audio_removed_at is not null
            returning e.id)
        delete from entry_renditions r using forgotten f where r.tenant_id = $1 and r.user_id = $2 and r.entry_id = f.id
        """)

    /// As its owner asked.
    static func asked(_ id: EntryID, expecting version: Int64?, of owner: Owner) -> Statement {
        Statement(asked, owner.parameters + [.uuid(id.uuid), .int(version)])
    }

    /// By its age.
    static func overdue(_ id: EntryID, of owner: Owner) -> Statement { Statement(overdue, owner.parameters + [.uuid(id.uuid)]) }

    static func forget(_ id: EntryID, of owner: Owner) -> Statement { Statement(forget, owner.parameters + [.uuid(id.uuid)]) }
}
