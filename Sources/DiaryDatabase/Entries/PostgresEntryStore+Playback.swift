package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func recording(
        _ id: EntryID, of member: Member
    ) async throws(DiaryError) -> (recording: StoredRecording, linkGeneration: Int64)? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select u.link_generation, \(EntryColumns.list), \(CopyColumns.list)
                    from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id \(CopyColumns.join("e"))
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    """, member.owner.parameters + [.uuid(id.uuid)])
            ])
        return try decoding { () throws(DatabaseError) in
            try rows.first(0).map { row throws(DatabaseError) in
                (try StoredRecording(row, at: 1, copyAt: 1 + EntryColumns.count), try row.int(0))
            }
        }
    }

    package func waveform(of id: EntryID, _ member: Member) async throws(DiaryError) -> (entry: StoredEntry, sealed: [UInt8]?)? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select r.waveform, \(EntryColumns.list) from entries e \(CopyColumns.join("e"))
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    """, member.owner.parameters + [.uuid(id.uuid)])
            ])
        return try decoding { () throws(DatabaseError) in
            try rows.first(0).map { row throws(DatabaseError) in (try StoredEntry(row, at: 1), try row.bytesOrNil(0)) }
        }
    }

    package func linkGeneration(of object: UUID, _ owner: Owner) async throws(DiaryError) -> Int64? {
        let generation = Statement(
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
            """, Self.parameters(object, owner))
        do {
            return try await uploadTransaction.run(owner, [generation]).first(0).map { row throws(DatabaseError) in try row.int(0) }
        } catch {
            throw error.forClient
        }
    }
}
