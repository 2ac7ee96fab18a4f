import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryDatabase

@Suite("Sign-ups", .timeLimit(.minutes(2)))
struct AccountSignUpTests {
    @Test("a sign-up writes everything at once; a second one with the address writes nothing; another tenant's is independent")
    func register() async throws {
        let fixture = try await SignUpFixture.make()
        let elsewhere = try await SignUpFixture.make()
        let first = try await fixture.signedUp()
        let second = fixture.account(hash: first.emailHash)

        #expect(try await fixture.store.register(second, code: fixture.code(), mail: fixture.otherAccount.mail()) == false)
        #expect(
            try await elsewhere.store.register(
                elsewhere.account(hash: first.emailHash), code: fixture.code(), mail: fixture.otherAccount.mail()))

        let counts = try await Dump.of(first.owner, in: fixture.database).hashes.mapValues { String($0.prefix { $0 != " " }) }.filter {
            $0.value != "0"
        }
        #expect(counts == ["users": "1", "user_sync": "1", "identities": "1", "email_codes": "1", "mails": "1", "jobs": "1"])
        #expect(try await Dump.of(second.owner, in: fixture.database).hashes.values.allSatisfy { $0 == "0 -" })
        let identity = try await fixture.store.emailIdentity(first.emailHash, tenant: first.owner.tenant)
        #expect(identity?.owner == first.owner && identity?.keyID == first.keyID && identity?.verified == false)
    }

    @Test("of 20 parallel sign-ups with one address one is made")
    func parallelRegister() async throws {
        let fixture = try await SignUpFixture.make()
        let hash = SecureRandom.bytes(32)

        let made = try await parallel(20) { _ in
            try await fixture.store.register(fixture.account(hash: hash), code: fixture.code(), mail: fixture.otherAccount.mail())
        }

        #expect(made.count { $0 } == 1)
        #expect(
            try await fixture.database.int("select count(*) from users where tenant_id = $1", .uuid(fixture.otherAccount.owner.tenant.uuid))
                == 2)
    }

    @Test("a sign-up with an unknown time zone is an invalid field", arguments: ["+02:00", "Europe/Berlln", "Mars5"])
    func badZone(zone: String) async throws {
        let fixture = try await SignUpFixture.make()
        let account = fixture.account(zone: zone)

        let error = await refusal { () throws(DiaryError) in
            try await fixture.store.register(account, code: fixture.code(), mail: fixture.otherAccount.mail())
        }

        #expect(error?.fields.map(\.pointer) == ["/time_zone"])
        #expect(try await Dump.of(account.owner, in: fixture.database).hashes.values.allSatisfy { $0 == "0 -" })
    }

    @Test("an address is not found in another tenant, nor when its user is deleted")
    func identityElsewhere() async throws {
        let fixture = try await SignUpFixture.make()
        let elsewhere = try await SignUpFixture.make()
        let account = try await fixture.signedUp()

        #expect(try await fixture.store.emailIdentity(account.emailHash, tenant: elsewhere.otherAccount.owner.tenant) == nil)
        try await fixture.database.change("update users set deleted_at = now() where id = $1", .uuid(account.owner.user.uuid))
        #expect(try await fixture.store.emailIdentity(account.emailHash, tenant: account.owner.tenant) == nil)
    }
}
