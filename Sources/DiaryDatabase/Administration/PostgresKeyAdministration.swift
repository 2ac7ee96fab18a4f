package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
package import PostgresClient

/// Statements of `diary keys`, by the database role `diary_admin` of the key database. Wrapped data keys are reached through three
/// functions only.
package struct PostgresKeyAdministration: KeyAdministration {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package func signingKeys() async throws(DiaryError) -> [StoredSigningKey] { try await StoredSigningKey.all(pool) }

    package func publish(kid: String, sealed: StoredSigningKey.Sealed, signsAfter seconds: Double) async throws(DiaryError) -> Date? {
        let rows = try await run([
            // Of two at once, the second sees the first one's key. (`lock table` needs an explicit transaction.)
            Statement("select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))"),
            Statement(
                """
                insert into signing_keys (kid, master_id, sealed, signs_from)
                select $1, $2, $3, clock_timestamp() + make_interval(secs => $4)
                where not exists (select from signing_keys where sealed is not null and signs_from > clock_timestamp())
                returning signs_from
                """, [.text(kid), .text(sealed.masterID), .bytes(sealed.bytes), .double(seconds)]),
        ])
        return try decoding { () throws(DatabaseError) in try rows.first(1)?.date(0) }
    }

    package func retire(kid: String) async throws(DiaryError) {
        _ = try await run([
            Statement(
                """
                insert into signing_keys (kid, signs_from, retired_at) values ($1, 'epoch', clock_timestamp())
                on conflict on constraint signing_keys_pk do update set master_id = null, sealed = null, retired_at = clock_timestamp()
                """, [.text(kid)])
        ])
    }

    package func rewrap(
        kid: String, from old: StoredSigningKey.Sealed, to new: StoredSigningKey.Sealed
    ) async throws(DiaryError) -> Bool {
        let rows = try await run([
            Statement(
                "update signing_keys set master_id = $4, sealed = $5 where kid = $1 and master_id = $2 and sealed = $3 returning kid",
                [.text(kid), .text(old.masterID), .bytes(old.bytes), .text(new.masterID), .bytes(new.bytes)])
        ])
        return rows.first(0) != nil
    }

    package func dataKeysByMaster() async throws(DiaryError) -> [String: Int] {
        let rows = try await run([Statement("select master, keys from count_keys()")])
        return try decoding { () throws(DatabaseError) in
            var counts: [String: Int] = [:]
            for row in rows[0] { counts[try row.text(0)] = Int(try row.int(1)) }
            return counts
        }
    }

    package func dataKeys(
        notUnder masterID: String, after: Owner?, limit: Int
    ) async throws(DiaryError) -> [(owner: Owner, key: WrappedKey)] {
        let rows = try await run([
            Statement(
                "select tenant, member, key, master, wrapped from keys_to_rewrap($1, $2, $3, $4)",
                [.text(masterID), .uuid(after?.tenant.uuid), .uuid(after?.user.uuid), .int4(Int32(clamping: limit))])
        ])
        return try decoding { () throws(DatabaseError) in
            try rows[0].map { row throws(DatabaseError) in
                (
                    owner: Owner(tenant: TenantID(try row.uuid(0)), user: UserID(try row.uuid(1))),
                    key: WrappedKey(keyID: try row.uuid(2), masterID: try row.text(3), bytes: try row.bytes(4))
                )
            }
        }
    }

    package func rewrap(_ keys: [(owner: Owner, old: WrappedKey, new: WrappedKey)]) async throws(DiaryError) -> Int {
        let rows = try await run(
            keys.map { key in
                Statement(
                    "select rewrap_key($1, $2, $3, $4, $5, $6, $7)",
                    key.owner.parameters + [
                        .uuid(key.old.keyID), .text(key.old.masterID), .bytes(key.old.bytes), .text(key.new.masterID),
                        .bytes(key.new.bytes),
                    ])
            })
        return try decoding { () throws(DatabaseError) in
            var set = 0
            for index in rows.indices { set += Int(try rows.first(index)?.int(0) ?? 0) }
            return set
        }
    }

    package func destroy(keyOf owner: Owner) async throws(DiaryError) -> Bool {
        let rows = try await run([Statement("select admin_destroy_key($1, $2)", owner.parameters)])
        return try decoding { () throws(DatabaseError) in try rows.first(0)?.int(0) ?? 0 } > 0
    }

    private func run(_ statements: [Statement]) async throws(DiaryError) -> [Rows] {
        do { return try await pool.run(statements) } catch { throw error.forClient }
    }
}
