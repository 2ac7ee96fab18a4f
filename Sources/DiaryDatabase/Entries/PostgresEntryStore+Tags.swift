package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore: TagStore {
    /// Counts by hash: no part is opened here. The kind is in a hash's two lowest bits.
    private static let uses = SQL(
        """
        select l.hash, count(*), max(e.recorded_at), (array_agg(e.id order by e.recorded_at desc, e.id desc))[1]
        from entries e cross join lateral unnest(e.label_hashes) as l (hash)
        where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and e.label_hashes is not null
            and l.hash & 3 = $3::bigint and ($4::bigint is null or l.hash = $4)
        group by l.hash order by max(e.recorded_at) desc, l.hash limit $5
        """)

    private static let colored = SQL(
        "select t.hash, t.sealed from tags t where t.tenant_id = $1 and t.user_id = $2 and ($3::bigint is null or t.hash = $3)")

    package func labelUses(
        _ kind: EntryLabel.Kind, hash: Int64?, most: Int, of member: Member
    ) async throws(DiaryError) -> (uses: [LabelUse], colored: [StoredTag]) {
        let owner = member.owner.parameters
        let statements = [
            Statement(Self.uses, owner + [.int(kind.mark), .int(hash), .int(most)]),
            kind == .tag ? Statement(Self.colored, owner + [.int(hash)]) : .nothing,
        ]
        return try await transaction.of(member).run(statements) { (rows: [Rows]) -> (uses: [LabelUse], colored: [StoredTag]) in
            let uses = try rows[0].all { row in
                LabelUse(hash: try row.int(), entries: try row.int(), lastUsedAt: try row.date(), newest: EntryID(try row.uuid()))
            }
            let colored = try rows[1].all { row in StoredTag(hash: try row.int(), sealed: try row.bytes()) }
            return (uses: uses, colored: colored)
        }
    }

    private static let samples = SQL(
        bounded(
            "from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($3) and e.deleted_at is null",
            columns: EntryColumns.withoutMachine, limit: "$4"
        ) { "\($0)id" })

    package func samples(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage {
        let found = Statement(Self.samples, member.owner.parameters + [.uuids(ids.map(\.uuid)), .int(ids.count)])
        return try await transaction.of(member).run([found]) { try EntryPage($0[0]) }
    }

    private static let labelled = SQL(
        bounded(
            """
            from entries e where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and e.label_hashes @> array[$3::bigint]
                and e.id > coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
            """, columns: EntryColumns.withoutMachine, limit: "$5"
        ) { "\($0)id" })

    package func labelled(_ hash: Int64, after id: EntryID?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        let found = Statement(Self.labelled, member.owner.parameters + [.int(hash), .uuid(id?.uuid), .int(limit)])
        return try await transaction.of(member).run([found]) { try EntryPage($0[0]) }
    }

    package func relabel(_ rewrites: [PersonalRewrite], keyID: UUID, by member: Member) async throws(DiaryError) -> Int {
        let statements = rewrites.map { PersonalUpdate.statement($0, keyID: keyID, of: member.owner, returnsEntry: false) }
        return try await transaction.of(member).run(statements) { rows in rows.indices.count { rows.first($0) != nil } }
    }

    package func writeTag(
        _ tag: StoredTag?, replacing hashes: [Int64], most: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> Bool {
        let owner = member.owner.parameters
        let statements = [
            // The account's lock: two at once would both count the same rows.
            EntryDeletion.lock(keyID, member.owner),
            Statement("delete from tags where tenant_id = $1 and user_id = $2 and hash = any ($3)", owner + [.ints(hashes)]),
            Statement(
                """
                insert into tags (tenant_id, user_id, hash, sealed, key_id)
                select $1, $2, $3, $4, $5 where $4 is not null
                    and (select count(*) from tags o where o.tenant_id = $1 and o.user_id = $2) < $6
                returning hash
                """, owner + [.int(tag?.hash ?? 0), .bytes(tag?.sealed), .uuid(keyID), .int(most)]),
        ]
        return try await transaction.of(member).run(statements) { rows in tag == nil || rows.first(2) != nil }
    }
}
