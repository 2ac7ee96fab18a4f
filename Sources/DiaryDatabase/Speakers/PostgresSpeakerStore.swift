package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// Speaker profiles, by the database role `diary_api`.
package struct PostgresSpeakerStore: SpeakerStore {
    let transaction: MemberTransaction

    package func speakers(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile] {
        try await transaction.of(member).all(
            """
            select \(SpeakerColumns.list) from speaker_profiles p where p.tenant_id = $1 and p.user_id = $2 and p.deleted_at is null
            order by p.created_at, p.id
            """, member.owner.parameters
        ) { try StoredSpeakerProfile(&$0) }
    }

    package func speaker(_ id: SpeakerID, of member: Member) async throws(DiaryError) -> StoredSpeakerProfile? {
        try await transaction.of(member).one(
            """
            select \(SpeakerColumns.list) from speaker_profiles p
            where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and p.deleted_at is null
            """, member.owner.parameters + [.uuid(id.uuid)]
        ) { try StoredSpeakerProfile(&$0) }
    }

    package func create(
        _ profile: NewSpeakerProfile, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> SpeakerCreation {
        let named = member.owner.parameters + [.uuid(profile.id.uuid)]
        return try await transaction.of(member).run([
            // Two requests at once would both count the same rows: the second waits here, and its next statement sees what the first wrote.
            EntryDeletion.lock(profile.keyID, member.owner),
            Statement(
                """
                insert into speaker_profiles as p (tenant_id, user_id, id, change_number, sealed, version, key_id, request_hash)
                select $1, $2, $3, s.change_number, $5, 1, $4, $6 from user_sync s
                where s.tenant_id = $1 and s.user_id = $2
                    and $7 > (select count(*) from speaker_profiles o where o.tenant_id = $1 and o.user_id = $2 and o.deleted_at is null)
                on conflict on constraint speaker_profiles_pk do nothing returning \(SpeakerColumns.list)
                """,
                named + [.uuid(profile.keyID), .bytes(profile.sealed), .bytes(profile.requestHash), .int(most)]),
            claim?.statement(
                of: member.owner,
                where: """
                    exists (select from speaker_profiles p
                        where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and p.xmin = pg_current_xact_id()::xid)
                    """, profile.id.uuid) ?? .nothing,
            Statement(
                """
                select p.request_hash, \(SpeakerColumns.list) from speaker_profiles p
                where p.tenant_id = $1 and p.user_id = $2 and p.id = $3
                """, named),
        ]) { rows in
            if var made = rows.first(1) { return .created(try StoredSpeakerProfile(&made)) }
            guard var known = rows.first(3) else { return .tooMany }
            guard try known.bytes() == profile.requestHash else { return .idTaken }
            let stored = try StoredSpeakerProfile(&known)
            return stored.deletedAt == nil ? .replayed(stored) : .idTaken
        }
    }

    package func rename(
        _ id: SpeakerID, to name: SealedColumn, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> StoredSpeakerProfile? {
        try await transaction.of(member).one(
            """
            with bump as (select bump_change($1, $2, $4) as seq)
            update speaker_profiles p set sealed = $5, version = $6, key_id = $4, change_number = bump.seq, updated_at = clock_timestamp()
            from bump where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and p.version = $6 - 1 and p.deleted_at is null
            returning \(SpeakerColumns.list)
            """, member.owner.parameters + [.uuid(id.uuid), .uuid(keyID), .bytes(name.bytes), .int(name.version)]
        ) { try StoredSpeakerProfile(&$0) }
    }

    package func delete(_ id: SpeakerID, keyID: UUID, by member: Member) async throws(DiaryError) -> Bool {
        try await transaction.of(member).run(
            """
            with bump as (select bump_change($1, $2, $4) as seq)
            update speaker_profiles p set deleted_at = clock_timestamp(), change_number = bump.seq, updated_at = clock_timestamp()
            from bump where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and p.deleted_at is null returning p.id
            """, member.owner.parameters + [.uuid(id.uuid), .uuid(keyID)]
        ).first != nil
    }
}

extension PostgresSpeakerStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

/// The columns of a speaker profile, in the order that `StoredSpeakerProfile(&row)` reads them.
enum SpeakerColumns {
    static let list = "p.id, p.created_at, p.updated_at, p.deleted_at, p.change_number, p.sealed, p.version"

    /// Those that a recording's corrections `c` point to, deleted ones among them.
    static let joined = "join speaker_profiles p on p.tenant_id = c.tenant_id and p.user_id = c.user_id and p.id = any (c.speaker_ids)"
}

extension StoredSpeakerProfile {
    init(_ row: inout Row) throws(DatabaseError) {
        let id = SpeakerID(try row.uuid())
        let (createdAt, updatedAt, deletedAt) = (try row.date(), try row.date(), try row.dateOrNil())
        let changeNumber = try row.int()
        let sealed = try row.bytes()
        self.init(
            id: id, sealed: SealedColumn(bytes: sealed, version: try row.int()), createdAt: createdAt, updatedAt: updatedAt,
            deletedAt: deletedAt, changeNumber: changeNumber)
    }
}
