package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
package import PostgresClient

/// Both databases, by the database role `diary_backup`.
package struct PostgresRestoreCheck: RestoreCheckStore {
    let main: ConnectionPool
    let keyDatabase: ConnectionPool

    package init(main: ConnectionPool, keys: ConnectionPool) {
        self.main = main
        keyDatabase = keys
    }

    private static let nothing = "00000000-0000-0000-0000-000000000000"

    package func accounts(after: Owner?, limit: Int) async throws(DiaryError) -> [RestoredAccount] {
        try await read(
            main,
            """
            select u.tenant_id, u.id, s.key_id, u.deleted_at is not null
            from users u join user_sync s on s.tenant_id = u.tenant_id and s.user_id = u.id
            where (u.tenant_id, u.id) > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'))
            order by u.tenant_id, u.id limit $3
            """, place(after) + [.int(Int64(limit))]
        ) { row throws(DatabaseError) in
            RestoredAccount(owner: try Owner(row), keyID: try row.uuid(2), isGoing: try row.bool(3))
        }
    }

    package func keys(after: Owner?, limit: Int) async throws(DiaryError) -> [RestoredKey] {
        try await read(
            keyDatabase,
            """
            select tenant_id, user_id, key_id, master_id, wrapped, created_at from user_keys
            where (tenant_id, user_id) > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'))
            order by tenant_id, user_id limit $3
            """, place(after) + [.int(Int64(limit))]
        ) { row throws(DatabaseError) in
            RestoredKey(
                owner: try Owner(row), key: WrappedKey(keyID: try row.uuid(2), masterID: try row.text(3), bytes: try row.bytes(4)),
                createdAt: try row.date(5))
        }
    }

    package func recordings(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        try await named(
            """
            entries where object_id is not null and (deleted_at is null or trash_ends_at is not null) and audio_removed_at is null
                and status <> 'awaiting_upload'
                and (status = 'failed' and stage = '\(JobKind.verify.rawValue)') is not true
                and not exists (select from entry_renditions r where r.tenant_id = entries.tenant_id and r.user_id = entries.user_id
                    and r.entry_id = entries.id and r.removed_bytes is not null)
            """, after, limit)
    }

    package func copies(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        try await named(
            """
            (select r.tenant_id, r.user_id, r.entry_id as id, r.object_id from entry_renditions r where r.waveform is not null) copies
                where object_id is not null
            """, after, limit)
    }

    package func zips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        try await named(
            """
            (select x.tenant_id, x.user_id, x.id, x.work_object_id as object_id from exports x where x.revoked_at is null and x.status = 'building'
                union all
                select p.tenant_id, p.user_id, p.export_id, p.object_id from export_parts p
                join exports x on x.tenant_id = p.tenant_id and x.user_id = p.user_id and x.id = p.export_id
                where x.revoked_at is null and (x.status = 'building' or x.expires_at > statement_timestamp())) zips
                where object_id is not null
            """, after, limit)
    }

    package func importedZips(after: NamedObject?, limit: Int) async throws(DiaryError) -> [NamedObject] {
        try await named("imports where object_id is not null and status in ('uploaded', 'importing')", after, limit)
    }

    private func named(_ source: String, _ after: NamedObject?, _ limit: Int) async throws(DiaryError) -> [NamedObject] {
        try await read(
            main,
            """
            select tenant_id, user_id, id, object_id from \(source)
                and (tenant_id, user_id, id, object_id)
                    > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'), coalesce($3::uuid, '\(Self.nothing)'),
                        coalesce($5::uuid, '\(Self.nothing)'))
            order by tenant_id, user_id, id, object_id limit $4
            """, place(after?.owner) + [.uuid(after?.id), .int(Int64(limit)), .uuid(after?.object)]
        ) { row throws(DatabaseError) in
            NamedObject(owner: try Owner(row), id: try row.uuid(2), object: try row.uuid(3))
        }
    }

    package func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        let query = OrphanQuery(keys: keys)
        do { return try query.orphans(try await main.run([query.statement])[0]) } catch { throw error.forClient }
    }

    package func epoch() async throws(DiaryError) -> RestoredEpoch {
        do {
            let rows = try await main.run([
                Statement(
                    """
                    select e.written_xid <> e.xmin::text::bigint
                        or e.written_timeline <> substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) from sync_epoch e
                    """),
                Statement("select lower(l), upper(l) from sync_epoch e, unnest(e.lost) l order by 1"),
                Statement("select lower(k), upper(k) from sweep_mark m, unnest(m.kept) k order by 1"),
            ])
            return RestoredEpoch(isOld: try rows.first(0)?.bool(0) ?? true, lost: try rows[1].times(), kept: try rows[2].times())
        } catch {
            throw error.forClient
        }
    }

    package func restoredTokenKeys() async throws(DiaryError) -> [String] {
        let living = try await read(keyDatabase, "select kid from signing_keys where sealed is not null", []) {
            row throws(DatabaseError) in try row.text(0)
        }
        return try await read(main, "select kid from retired_token_keys where kid = any ($1) order by 1", [.texts(living)]) {
            row throws(DatabaseError) in try row.text(0)
        }
    }

    package func checkValues(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]] {
        try await PostgresKeyCheckStore(pool: keyDatabase).recorded(names)
    }

    package func addresses(limit: Int) async throws(DiaryError) -> [(owner: Owner, sealed: [UInt8], hash: [UInt8])] {
        try await read(
            main,
            """
            select u.tenant_id, u.id, u.email_sealed, i.subject_hash
            from identities i join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
            where i.issuer = 'email' and i.verified_at is not null and u.deleted_at is null and u.email_sealed is not null limit $1
            """, [.int(Int64(limit))]
        ) { row throws(DatabaseError) in (owner: try Owner(row), sealed: try row.bytes(2), hash: try row.bytes(3)) }
    }

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        try await read(
            keyDatabase, "select key_id, master_id, wrapped from user_keys where tenant_id = $1 and user_id = $2", owner.parameters
        ) { row throws(DatabaseError) in
            WrappedKey(keyID: try row.uuid(0), masterID: try row.text(1), bytes: try row.bytes(2))
        }.first
    }

    package func waitingDeletions() async throws(DiaryError) -> Int {
        try await read(main, "select count(*) from deletions where erased_at is null", []) { row throws(DatabaseError) in
            Int(clamping: try row.int(0))
        }.first ?? 0
    }

    private func place(_ owner: Owner?) -> [Parameter] { [.uuid(owner?.tenant.uuid), .uuid(owner?.user.uuid)] }

    private func read<Value>(
        _ pool: ConnectionPool, _ sql: String, _ parameters: [Parameter], _ decode: (Row) throws(DatabaseError) -> Value
    ) async throws(DiaryError) -> [Value] {
        do {
            var values: [Value] = []
            for row in try await pool.run([Statement(sql, parameters)])[0] { values.append(try decode(row)) }
            return values
        } catch {
            throw error.forClient
        }
    }
}

extension PostgresRestoreCheck: ObjectCheckStore {
    package func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] { try await epoch().kept }

    package func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]? {
        do {
            let rows = try await main.run([
                Statement(
                    """
                    select sha256 from entries where tenant_id = $1 and user_id = $2 and id = $3 and object_id = $4
                        and (deleted_at is null or trash_ends_at is not null) and audio_removed_at is null
                        -- What was announced of a recording that the check refused, not what is stored.
                        and (status = 'failed' and stage = 'verify') is not true
                    union all
                    select sha256 from entry_renditions where tenant_id = $1 and user_id = $2 and entry_id = $3 and object_id = $4
                        and waveform is not null
                    """, recording.owner.parameters + [.uuid(recording.id), .uuid(recording.object)])
            ])
            return try rows.first(0).flatMap { row throws(DatabaseError) in try row.bytesOrNil(0) }
        } catch {
            throw error.forClient
        }
    }
}
