import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

/// Row G8, and token keys in the key database.
@Suite("Key administration", .serialized, .timeLimit(.minutes(2)))
struct KeyAdministrationTests {
    private static let kid = String(repeating: "k", count: 43)

    private func fixture() async throws -> (database: MigratedDatabase, keys: PostgresKeyAdministration, store: PostgresKeyStore) {
        let database = try await MigratedDatabase.make()
        return (
            database, PostgresKeyAdministration(pool: try database.keyPool(.admin)), PostgresKeyStore(pool: try database.keyPool(.auth))
        )
    }

    @Test("one token key waits at a time, whichever process publishes; retiring deletes the private key, also one unknown to the database")
    func tokenKeys() async throws {
        let (database, keys, _) = try await fixture()
        let sealed = StoredSigningKey.Sealed(masterID: "m", bytes: [1, 2, 3])

        let made = try await parallel(8) { number in
            try await keys.publish(kid: String(repeating: "\(number)", count: 43), sealed: sealed, signsAfter: 60)
        }

        #expect(made.compactMap { $0 }.count == 1)
        let stored = try #require(try await keys.signingKeys().first)
        #expect(stored.sealed == sealed && abs(stored.signsFrom.timeIntervalSince(stored.publishedAt) - 60) < 1)
        #expect(try await PostgresSigningKeyStore(pool: try database.keyPool(.api)).signingKeys() == [stored])

        #expect(try await !keys.rewrap(kid: stored.kid, from: .init(masterID: "m", bytes: [9]), to: sealed))
        #expect(try await keys.rewrap(kid: stored.kid, from: sealed, to: .init(masterID: "n", bytes: [4])))
        try await keys.retire(kid: stored.kid)
        try await keys.retire(kid: Self.kid)
        #expect(try await keys.signingKeys().map(\.sealed) == [nil, nil])
        #expect(try await keys.publish(kid: String(repeating: "x", count: 43), sealed: sealed, signsAfter: 1) != nil)
    }

    @Test("pages hold the keys of other masters in order; compare and set leaves keys that were destroyed or rewrapped")
    func rewrapping() async throws {
        let (database, keys, store) = try await fixture()
        let people = (0..<7).map { _ in Owner(tenant: TenantID(UUID()), user: UserID(UUID())) }
        for (number, owner) in people.enumerated() {
            try await store.insert(WrappedKey(keyID: UUID(), masterID: number < 5 ? "old" : "new", bytes: [UInt8(number)]), for: owner)
        }
        #expect(try await keys.dataKeysByMaster() == ["old": 5, "new": 2])

        var seen: [(owner: Owner, key: WrappedKey)] = []
        while true {
            let page = try await keys.dataKeys(notUnder: "new", after: seen.last?.owner, limit: 2)
            if page.isEmpty { break }
            seen += page
            try #require(seen.count <= 5)
        }
        #expect(Set(seen.map(\.owner)) == Set(people.prefix(5)))

        try await store.destroy(keyOf: seen[0].owner)
        _ = try await database.keySuperuser.run([
            Statement("update user_keys set wrapped = '\\x77' where user_id = $1", [.uuid(seen[1].owner.user.uuid)])
        ])
        let set = try await keys.rewrap(
            seen.map { (owner: $0.owner, old: $0.key, new: WrappedKey(keyID: $0.key.keyID, masterID: "new", bytes: $0.key.bytes + [0])) })

        #expect(set == 3)
        #expect(try await keys.dataKeysByMaster() == ["old": 1, "new": 5])
        #expect(try await store.wrappedKey(of: seen[2].owner)?.bytes == seen[2].key.bytes + [0])
    }

    @Test("the administrator reads and writes wrapped keys only through its three functions")
    func walled() async throws {
        let (database, _, _) = try await fixture()
        let pool = try database.keyPool(.admin)
        for sql in [
            "select * from user_keys", "update user_keys set wrapped = wrapped", "delete from user_keys", "delete from signing_keys",
            "insert into user_keys select * from user_keys",
        ] {
            #expect(await failure { () throws(DatabaseError) in try await pool.run([Statement(sql)]) }?.sqlstate == "42501", "\(sql)")
        }
        for role in [MigratedDatabase.Role.api, .auth, .worker] {
            let other = try database.keyPool(role)
            #expect(
                await failure { () throws(DatabaseError) in
                    try await other.run([Statement("select * from keys_to_rewrap('x', null, null, 9)")])
                }?
                .sqlstate == "42501")
        }
    }
}
