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
        try await main.forClient.all(
            """
            select u.tenant_id, u.id, s.key_id, u.deleted_at is not null
            from users u join user_sync s on s.tenant_id = u.tenant_id and s.user_id = u.id
            where (u.tenant_id, u.id) > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'))
            order by u.tenant_id, u.id limit $3
            """, place(after) + [.int(Int64(limit))]
        ) { RestoredAccount(owner: try Owner(&$0), keyID: try $0.uuid(), isGoing: try $0.bool()) }
    }

    package func keys(after: Owner?, limit: Int) async throws(DiaryError) -> [RestoredKey] {
        try await keyDatabase.forClient.all(
            """
            select tenant_id, user_id, key_id, master_id, wrapped, created_at from user_keys
            where (tenant_id, user_id) > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'))
            order by tenant_id, user_id limit $3
            """, place(after) + [.int(Int64(limit))]
        ) { row in
            RestoredKey(
                owner: try Owner(&row), key: WrappedKey(keyID: try row.uuid(), masterID: try row.text(), bytes: try row.bytes()),
                createdAt: try row.date())
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
        try await main.forClient.all(
            """
            select tenant_id, user_id, id, object_id from \(source)
                and (tenant_id, user_id, id, object_id)
                    > (coalesce($1::uuid, '\(Self.nothing)'), coalesce($2::uuid, '\(Self.nothing)'), coalesce($3::uuid, '\(Self.nothing)'),
                        coalesce($5::uuid, '\(Self.nothing)'))
            order by tenant_id, user_id, id, object_id limit $4
            """, place(after?.owner) + [.uuid(after?.id), .int(Int64(limit)), .uuid(after?.object)]
        ) { NamedObject(owner: try Owner(&$0), id: try $0.uuid(), object: try $0.uuid()) }
    }

    package func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        keys.elements(at: try await main.forClient.all(OrphanQuery(keys: keys).statement) { try $0.int() })
    }

    package func epoch() async throws(DiaryError) -> RestoredEpoch {
        try await main.forClient.run([
            Statement(
                """
                select e.written_xid <> e.xmin::text::bigint
                    or e.written_timeline <> substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) from sync_epoch e
                """),
            Statement("select lower(l), upper(l) from sync_epoch e, unnest(e.lost) l order by 1"),
            Statement("select lower(k), upper(k) from sweep_mark m, unnest(m.kept) k order by 1"),
        ]) { rows in
            RestoredEpoch(
                isOld: try rows.first(0)?.bool(0) ?? true, lost: try rows[1].all { try $0.times() },
                kept: try rows[2].all { try $0.times() })
        }
    }

    package func restoredTokenKeys() async throws(DiaryError) -> [String] {
        let living = try await keyDatabase.forClient.all("select kid from signing_keys where sealed is not null") { try $0.text() }
        return try await main.forClient.all("select kid from retired_token_keys where kid = any ($1) order by 1", [.texts(living)]) {
            try $0.text()
        }
    }

    package func checkValues(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]] {
        try await PostgresKeyCheckStore(pool: keyDatabase).recorded(names)
    }

    package func addresses(limit: Int) async throws(DiaryError) -> [(owner: Owner, sealed: [UInt8], hash: [UInt8])] {
        try await main.forClient.all(
            """
            select u.tenant_id, u.id, u.email_sealed, i.subject_hash
            from identities i join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
            where i.issuer = 'email' and i.verified_at is not null and u.deleted_at is null and u.email_sealed is not null limit $1
            """, [.int(Int64(limit))]
        ) { row in (owner: try Owner(&row), sealed: try row.bytes(), hash: try row.bytes()) }
    }

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        try await keyDatabase.forClient.one(
            "select key_id, master_id, wrapped from user_keys where tenant_id = $1 and user_id = $2", owner.parameters
        ) { WrappedKey(keyID: try $0.uuid(), masterID: try $0.text(), bytes: try $0.bytes()) }
    }

    package func waitingDeletions() async throws(DiaryError) -> Int {
        try await main.forClient.one("select count(*) from deletions where erased_at is null") { try $0.count() } ?? 0
    }

    private func place(_ owner: Owner?) -> [Parameter] { [.uuid(owner?.tenant.uuid), .uuid(owner?.user.uuid)] }
}

extension PostgresRestoreCheck: ObjectCheckStore {
    package func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] { try await epoch().kept }

    package func digest(of recording: NamedObject) async throws(DiaryError) -> [UInt8]? {
        try await main.forClient.one(
            """
            select sha256 from entries where tenant_id = $1 and user_id = $2 and id = $3 and object_id = $4
                and (deleted_at is null or trash_ends_at is not null) and audio_removed_at is null
                -- What was announced of a recording that the check refused, not what is stored.
                and (status = 'failed' and stage = 'verify') is not true
            union all
            select sha256 from entry_renditions where tenant_id = $1 and user_id = $2 and entry_id = $3 and object_id = $4
                and waveform is not null
            """, recording.owner.parameters + [.uuid(recording.id), .uuid(recording.object)]
        ) { try $0.bytesOrNil() } ?? nil
    }
}
