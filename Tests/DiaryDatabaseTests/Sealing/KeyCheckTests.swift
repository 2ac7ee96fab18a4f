import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// A wrong master key or service secret is found at the start.
@Suite("Key checks", .serialized, .timeLimit(.minutes(1)))
struct KeyCheckTests {
    private func fixture(_ role: MigratedDatabase.Role = .api) async throws -> (database: MigratedDatabase, check: CheckKeys) {
        let database = try await MigratedDatabase.make()
        return (database, CheckKeys(store: PostgresKeyCheckStore(pool: try database.keyPool(role))))
    }

    private func ring(_ keys: KeyValuePairs<String, SecretBytes>) throws -> MasterKeyRing {
        try MasterKeyRing(current: keys.first?.key ?? "", keys: Dictionary(uniqueKeysWithValues: keys.map { ($0.key, $0.value) }))
    }

    @Test(
        "keys are recorded once; the same ones pass and others under their names do not",
        arguments: [MigratedDatabase.Role.api, .worker, .admin])
    func compared(role: MigratedDatabase.Role) async throws {
        let (_, check) = try await fixture(role)
        let (first, second, secret) = (SecretBytes.random(32), SecretBytes.random(32), ServiceKeys(secret: .random(32)))

        #expect(try await check.run(masters: ring(["m1": first]), serviceKeys: secret) == [])
        #expect(try await check.run(masters: ring(["m1": first]), serviceKeys: secret) == [])

        #expect(try await check.run(masters: ring(["m1": second]), serviceKeys: secret) == [.master("m1")])
        #expect(try await check.run(masters: nil, serviceKeys: ServiceKeys(secret: .random(32))) == [.serviceSecret])
        // A rotation: the new one is recorded when it is first seen, the old one may leave.
        #expect(try await check.run(masters: ring(["m1": first, "m2": second]), serviceKeys: secret) == [])
        #expect(try await check.run(masters: ring(["m2": second, "m1": first]), serviceKeys: nil) == [])
        #expect(try await check.run(masters: ring(["m2": second]), serviceKeys: secret) == [])
        #expect(try await check.run(masters: ring(["m2": first, "m1": first]), serviceKeys: secret) == [.master("m2")])
    }

    @Test("a master without a check value must open what it wraps before one is recorded")
    func opens() async throws {
        let (database, check) = try await fixture()
        let right = SecretBytes.random(32)
        let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
        let wrapped = try ring(["m1": right]).wrap(.generate(), tenant: owner.tenant.uuid, user: owner.user.uuid)
        try await PostgresKeyStore(pool: try database.keyPool(.auth)).insert(wrapped, for: owner)

        #expect(try await check.run(masters: ring(["m1": .random(32)]), serviceKeys: nil) == [.master("m1")])
        #expect(try await check.run(masters: ring(["m1": right]), serviceKeys: nil) == [])
    }

    @Test("of processes that start at once with different keys those with the first one's pass")
    func race() async throws {
        let (_, check) = try await fixture()
        let secrets = (0..<2).map { _ in SecretBytes.random(32) }

        let wrong = try await parallel(8) { number in
            try await check.run(masters: ring(["m1": secrets[number % 2]]), serviceKeys: nil).isEmpty
        }

        #expect(wrong.count { $0 } == 4)
    }

    @Test("a check value cannot be changed or removed by the service, and shows nothing of the key")
    func stored() async throws {
        let (database, check) = try await fixture()
        let secret = SecretBytes.random(32)
        _ = try await check.run(masters: ring(["m1": secret]), serviceKeys: ServiceKeys(secret: secret))

        let rows = try await database.keySuperuser.run([Statement("select name, value from key_checks order by name")])[0]
        #expect(try rows.map { try $0.text(0) } == ["master/m1", "service-secret"])
        #expect(try rows.allSatisfy { try $0.bytes(1) != secret.bytes() } && (try rows[0].bytes(1) != rows[1].bytes(1)))
        for role in [MigratedDatabase.Role.api, .auth, .worker, .admin] {
            let pool = try database.keyPool(role)
            for sql in ["update key_checks set value = value", "delete from key_checks"] {
                #expect(await failure { () throws(DatabaseError) in try await pool.run([Statement(sql)]) }?.sqlstate == "42501", "\(sql)")
            }
        }
    }
}
