package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// Entries as `diary_api`.
package struct PostgresEntryStore: EntryStore {
    let transaction: MemberTransaction
    let uploadTransaction: OwnerTransaction

    private static let one = SQL(
        """
        select \(EntryColumns.list) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """)

    package func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        let rows = try await transaction.run(
            member,
            [
                Statement(Self.one, member.owner.parameters + [.uuid(id.uuid)])
            ])
        return try decoding { () throws(DatabaseError) in try rows.first(0).map { row throws(DatabaseError) in try StoredEntry(row) } }
    }

    package func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        let values: [Parameter] =
            member.owner.parameters + [
                .uuid(entry.id.uuid), .text(entry.kind.rawValue),
                .text(entry.kind == .voice ? EntryStatus.awaitingUpload.rawValue : EntryStatus.transcribed.rawValue),
                .timestamp(entry.recordedAt),
                .text(entry.timeZone), .double(entry.durationSeconds), .int(entry.sizeBytes), .text(entry.contentType),
                .bytes(entry.sha256),
                .text(entry.language), .uuid(entry.object), .bytes(entry.requestHash), .uuid(entry.keyID), .bytes(entry.personal),
            ]
        let rows: [Rows]
        if let idempotency = entry.idempotencyHash {
            // A second request with the same key waits here for the first one's commit, then claims nothing and reads the first's entry.
            rows = try await transaction.run(
                member,
                [
                    entry.mayCreate ? Statement(EntryInsert.claiming, values + [.bytes(idempotency)]) : .nothing,
                    Statement(EntryInsert.claimed, member.owner.parameters + [.bytes(idempotency)]),
                ])
        } else {
            rows = try await transaction.run(
                member,
                [
                    entry.mayCreate ? Statement(EntryInsert.plain, values) : .nothing,
                    Statement(EntryInsert.known, member.owner.parameters + [.uuid(entry.id.uuid)]),
                ])
        }
        guard entry.mayCreate || rows.first(1) != nil else { throw DiaryError(.rateLimited) }
        return try decoding { () throws(DatabaseError) in
            if let made = rows.first(0) { return .created(try StoredEntry(made)) }
            // The conflicting row was removed between the two statements, with its account or by expiry. A repeated request gets the
            // right answer.
            guard let known = rows.first(1) else { throw DatabaseError(.serialization) }
            guard try known.bytes(0) == entry.requestHash else { return entry.idempotencyHash == nil ? .idTaken : .keyReused }
            // A client-made id that another request took, or whose entry has been deleted since.
            guard try known.bytesOrNil(1) == entry.requestHash, try known.isNull(2 + 9) else { return .idTaken }
            return .replayed(try StoredEntry(known, at: 2))
        }
    }

    package func rewritePersonal(
        _ id: EntryID, sealed: SealedColumn, expecting version: Int64, language: Patch<String>, keyID: UUID, by member: Member
    ) async throws(DiaryError)
        -> WriteOutcome
    {
        let (setsLanguage, tag): (Bool, String?) =
            switch language {
            case .absent: (false, nil)
            case .clear: (true, nil)
            case .set(let tag): (true, tag)
            }
        return try await write(
            member,
            Statement(
                """
                with bump as (select bump_change($1, $2, $3) as seq)
                update entries e set personal = $5, personal_version = $6, key_id = $3, change_number = bump.seq, updated_at = clock_timestamp(),
                    language = case when $8 then $9 else e.language end,
                    stage_code = case when $8 and $9 is distinct from e.language then nullif(e.stage_code, $10) else e.stage_code end
                from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.personal_version = $7
                returning \(EntryColumns.list)
                """,
                member.owner.parameters + [
                    .uuid(keyID), .uuid(id.uuid), .bytes(sealed.bytes), .int(sealed.version), .int(version), .bool(setsLanguage),
                    .text(tag), .text(ProcessingCode.languageUnsupported.rawValue),
                ]),
            entry: id)
    }

    package func delete(_ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        // The lock is a statement of its own, so that the next one sees and deletes what a worker committed during the wait
        // (segments, the next job). Zips that hold the entry, and those whose snapshot may, end with it; one that was finished before
        // the entry was made does not hold it. An entry that has been on another day may be in a zip of that day.
        try await write(
            member, Statement("select bump_change($1, $2, $3)", member.owner.parameters + [.uuid(keyID)]),
            Statement(
                """
                with gone as (
                    update entries e set deleted_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = s.change_number,
                        personal = null, machine = null, stage = null, stage_next_at = null, stage_code = null, sha256 = null
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                        and e.deleted_at is null and ($4::bigint is null or e.personal_version = $4)
                    returning \(EntryColumns.list), e.day_changed_at),
                segments as (delete from entry_segments s using gone g where s.tenant_id = $1 and s.user_id = $2 and s.entry_id = g.id),
                jobs as (
                    update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null from gone g
                    where j.tenant_id = $1 and j.user_id = $2 and j.subject = g.id and j.state = 'ready'),
                exports as (
                    update exports x set revoked_at = clock_timestamp(),
                        mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
                    where x.tenant_id = $1 and x.user_id = $2 and x.id = any (array(
                        select y.id from exports y, gone g
                        where y.tenant_id = $1 and y.user_id = $2 and y.revoked_at is null
                            and y.status = 'ready' and y.expires_at > clock_timestamp() and y.ready_at >= g.created_at
                            and (g.local_date between y.from_day and y.to_day or y.created_at < g.day_changed_at)
                        order by y.id for update of y)))
                select * from gone
                """, member.owner.parameters + [.uuid(id.uuid), .int(version)]), entry: id)
    }

    /// A write, followed in the same round trip by the check whether the entry exists. Before the write, the check would not see what the
    /// write waited for.
    private func write(_ member: Member, _ statements: Statement..., entry id: EntryID) async throws(DiaryError) -> WriteOutcome {
        let question = Statement(
            "select 1 from entries where tenant_id = $1 and user_id = $2 and id = $3 and deleted_at is null",
            member.owner.parameters + [.uuid(id.uuid)])
        let rows = try await transaction.run(member, statements + [question])
        return try decoding { () throws(DatabaseError) in
            if let row = rows.first(statements.count - 1) { return .written(try StoredEntry(row)) }
            return rows.first(statements.count) == nil ? .missing : .conflict
        }
    }

    package func segments(_ id: EntryID, of member: Member) async throws(DiaryError) -> SealedColumn? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    "select sealed, version from entry_segments where tenant_id = $1 and user_id = $2 and entry_id = $3",
                    member.owner.parameters + [.uuid(id.uuid)])
            ])
        return try decoding { () throws(DatabaseError) in
            try rows.first(0).map { row throws(DatabaseError) in SealedColumn(bytes: try row.bytes(0), version: try row.int(1)) }
        }
    }
}

extension PostgresEntryStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), uploadTransaction: OwnerTransaction(pool: pool))
    }
}

/// Statements that create an entry, and that read the conflicting one when nothing was inserted.
private enum EntryInsert {
    static let plain = SQL("with bump as (select bump_change($1, $2, $15) as seq) \(insert)")

    static let known = SQL(
        """
        select e.request_hash, e.request_hash, \(EntryColumns.list) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3
        """)

    static let claiming = SQL(
        """
        with claim as (
            insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)
            values ($1, $2, 'entry', $17, $14, $3) on conflict do nothing returning subject),
        bump as (select bump_change($1, $2, $15) as seq from claim)
        \(insert)
        """)

    static let claimed = SQL(
        """
        select k.request_hash, e.request_hash, \(EntryColumns.list) from idempotency_keys k
        left join entries e on e.tenant_id = k.tenant_id and e.user_id = k.user_id and e.id = k.subject
        where k.tenant_id = $1 and k.user_id = $2 and k.operation = 'entry' and k.key_hash = $3
        """)

    private static let insert = """
        insert into entries as e (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, created_at, updated_at,
            duration_s, size_bytes, content_type, sha256, language, object_id, request_hash, key_id, personal, personal_version)
        select $1, $2, $3, $4, $5, bump.seq, $6, zone.name, $6 at time zone zone.name, clock_timestamp(), clock_timestamp(),
            $8, $9, $10, $11, $12, $13, $14, $15, $16, 1
        from bump, (select coalesce(zone_name($7), u.time_zone) as name from users u where u.tenant_id = $1 and u.id = $2) zone
        on conflict on constraint entries_pk do nothing returning \(EntryColumns.list)
        """
}
