package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func recording(
        _ id: EntryID, of member: Member
    ) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)? {
        try await transaction.of(member).one(
            """
            select \(EntryColumns.list), \(CopyColumns.list), u.link_generation
            from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id \(CopyColumns.join("e"))
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
            """, member.owner.parameters + [.uuid(id.uuid)]
        ) { row in
            (recording: try StoredRecording(&row), linkGeneration: try row.int())
        }
    }

    package func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)? {
        try await transaction.of(member).one(
            """
            select \(EntryColumns.list), r.waveform from entries e \(CopyColumns.join("e"))
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
            """, member.owner.parameters + [.uuid(id.uuid)]
        ) { row in
            (entry: try StoredEntry(&row), sealed: try row.bytesOrNil())
        }
    }

    package func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? {
        try await uploadTransaction.forClient(owner).one(
            """
            select u.link_generation
            from (
                select o.id from entries o where o.tenant_id = $1 and o.user_id = $2 and o.object_id = $3
                union all
                select r.entry_id from entry_renditions r where r.tenant_id = $1 and r.user_id = $2 and r.object_id = $3) named
            join entries e on e.tenant_id = $1 and e.user_id = $2 and e.id = named.id
            join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
            where e.deleted_at is null and e.audio_removed_at is null
                and e.stage_code is distinct from $4 and account_is_open($1, $2)
            """, Self.parameters(object, owner)
        ) { try $0.int() }
    }
}
