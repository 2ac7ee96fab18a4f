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
        try await pool.forClient.run([
            // Of two at once, the second sees the first one's key. (`lock table` needs an explicit transaction.)
            Statement("select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))"),
            Statement(
                """
                insert into signing_keys (kid, master_id, sealed, signs_from)
                select $1, $2, $3, clock_timestamp() + make_interval(secs => $4)
                where not exists (select from signing_keys where sealed is not null and signs_from > clock_timestamp())
                returning signs_from
                """, [.text(kid), .text(sealed.masterID), .bytes(sealed.bytes), .double(seconds)]),
        ]) { try $0.one(1) { try $0.date() } }
    }

    package func retire(kid: String) async throws(DiaryError) {
        try await pool.forClient.run(
            """
            insert into signing_keys (kid, signs_from, retired_at) values ($1, 'epoch', clock_timestamp())
            on conflict on constraint signing_keys_pk do update set master_id = null, sealed = null, retired_at = clock_timestamp()
            """, [.text(kid)])
    }

    package func rewrap(
        kid: String, from old: StoredSigningKey.Sealed, to new: StoredSigningKey.Sealed
    ) async throws(DiaryError) -> Bool {
        try await pool.forClient.run(
            "update signing_keys set master_id = $4, sealed = $5 where kid = $1 and master_id = $2 and sealed = $3 returning kid",
            [.text(kid), .text(old.masterID), .bytes(old.bytes), .text(new.masterID), .bytes(new.bytes)]
        ).first != nil
    }

    package func dataKeysByMaster() async throws(DiaryError) -> [String: Int] {
        let counts = try await pool.forClient.all("select master, keys from count_keys()") { row in (try row.text(), try row.count()) }
        return Dictionary(counts) { _, last in last }
    }

    package func dataKeys(
        notUnder masterID: String, after: Owner?, limit: Int
    ) async throws(DiaryError) -> [(owner: Owner, key: WrappedKey)] {
        try await pool.forClient.all(
            "select tenant, member, key, master, wrapped from keys_to_rewrap($1, $2, $3, $4)",
            [.text(masterID), .uuid(after?.tenant.uuid), .uuid(after?.user.uuid), .int4(Int32(clamping: limit))]
        ) { row in
            (owner: try Owner(&row), key: WrappedKey(keyID: try row.uuid(), masterID: try row.text(), bytes: try row.bytes()))
        }
    }

    package func rewrap(_ keys: [(owner: Owner, old: WrappedKey, new: WrappedKey)]) async throws(DiaryError) -> Int {
        let statements = keys.map { key in
            Statement(
                "select rewrap_key($1, $2, $3, $4, $5, $6, $7)",
                key.owner.parameters + [
                    .uuid(key.old.keyID), .text(key.old.masterID), .bytes(key.old.bytes), .text(key.new.masterID),
                    .bytes(key.new.bytes),
                ])
        }
        return try await pool.forClient.run(statements) { rows in
            try rows.joined().reduce(0) { set, row in set + Int(try row.int(0)) }
        }
    }

    package func destroy(keyOf owner: Owner) async throws(DiaryError) -> Bool {
        try await pool.forClient.one("select admin_destroy_key($1, $2)", owner.parameters) { try $0.int() > 0 } ?? false
    }
}
