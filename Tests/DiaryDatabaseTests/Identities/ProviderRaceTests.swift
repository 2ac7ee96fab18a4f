import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Challenges and races of sign-in by a provider", .timeLimit(.minutes(3)))
struct ProviderRaceTests {
    private func outcome(_ body: () async throws -> Member) async -> String {
        do { return try await body().user.description } catch { return (error as? DiaryError)?.code.rawValue ?? "\(error)" }
    }

    @Test("B4: of a hundred requests with one token and nonce, one opens a session", arguments: [true, false])
    func replay(isKnown: Bool) async throws {
        let fixture = try await ProviderFixture.make()
        if isKnown { _ = try await fixture.enter(.google("g")) }
        let nonce = try await fixture.nonce()

        let outcomes = try await parallel(100) { _ in
            await outcome {
                let tokens = try await fixture.signIn.run(
                    fixture.form(.google("g"), nonce: nonce), origin: ProviderFixture.origin, in: fixture.tenant)
                return Member(tenant: fixture.tenant.id, user: tokens.user, session: tokens.session)
            }
        }

        #expect(outcomes.count { $0 == "token_refused" } == 99)
        #expect(
            try await fixture.database.int(
                "select count(*) from sessions where tenant_id = $1 and device_sealed is not null", .uuid(fixture.tenant.id.uuid))
                == (isKnown ? 2 : 1))
        // Losing requests made keys for accounts that were never created; no such key is left.
        #expect(
            try await fixture.database.keySuperuser.run([
                Statement("select count(*) from user_keys where tenant_id = $1", [.uuid(fixture.tenant.id.uuid)])
            ]).first(0)?.int(0) == 1)
    }

    @Test("a first sign-in from twenty devices at once makes one account")
    func firstAtOnce() async throws {
        let fixture = try await ProviderFixture.make()

        let outcomes = try await parallel(20) { _ in await outcome { try await fixture.enter(.apple("a", "a@icloud.com", owns: true)) } }

        #expect(Set(outcomes).count == 1)
        #expect(
            try await fixture.database.int(
                "select count(*) from identities where tenant_id = $1 and issuer = 'apple'", .uuid(fixture.tenant.id.uuid))
                == 1)
    }

    @Test("B4: a nonce belongs to one app, lives ten minutes, and cannot be guessed")
    func nonces() async throws {
        let fixture = try await ProviderFixture.make()
        let other = try await ProviderFixture.make()
        let late = try await fixture.nonce()
        try await fixture.database.change(
            "update sign_in_challenges set expires_at = clock_timestamp() where tenant_id = $1", .uuid(fixture.tenant.id.uuid))
        for nonce in [late, try await other.nonce(), "", "x", String(repeating: "A", count: 43)] {
            let form = fixture.form(.google("g"), nonce: nonce)
            let refused = await refusal { () async throws(DiaryError) in
                try await fixture.signIn.run(form, origin: ProviderFixture.origin, in: fixture.tenant)
            }
            #expect(refused?.code == .tokenRefused)
        }
        #expect(
            try await fixture.database.int(
                "select count(*) from users where tenant_id = $1 and email_sealed is null", .uuid(fixture.tenant.id.uuid)) == 0)
    }

    @Test("B13: a provider's statement on an address that the account has meanwhile left changes nothing, and the user is signed in")
    func staleNews() async throws {
        let database = try await MigratedDatabase.make()
        let store = PostgresIdentityStore(pool: try database.pool(.auth))
        for isStale in [true, false] {
            let seedData = try await SeedData.make(in: database)
            let user = Parameter.uuid(seedData.person.owner.user.uuid)
            try await database.change("update identities set proves_address = false where user_id = $1", user)
            let update = IdentityUpdate(
                addressSealed: [2], provesAddress: true, accountAddressSealed: [3], readAgainst: isStale ? [9] : Array("sealed".utf8))

            #expect(try await store.signIn(seedData.signIn(), update: update))

            #expect(
                try await database.text("select encode(email_sealed, 'hex') from users where id = $1", user)
                    == (isStale ? "7365616c6564" : "03"))
            #expect(
                try await database.int("select count(*) from identities where user_id = $1 and proves_address", user) == (isStale ? 0 : 1))
        }
    }

    @Test("the store itself refuses a challenge that has expired or was never issued, whatever was read before (B4)")
    func endedChallenge() async throws {
        let database = try await MigratedDatabase.shared()
        let seedData = try await SeedData.make(in: database)
        let store = PostgresIdentityStore(pool: try database.pool(.auth))
        try await database.change(
            "update sign_in_challenges set expires_at = clock_timestamp() where tenant_id = $1", .uuid(seedData.person.owner.tenant.uuid))
        let before = try await Dump.of(seedData.person.owner, in: database)

        let refused = await refusal { () async throws(DiaryError) in try await store.signIn(seedData.signIn(), update: nil) }

        #expect(refused?.code == .tokenRefused)
        #expect(try await Dump.of(seedData.person.owner, in: database) == before)
    }

    @Test("the same subject in another app or of another provider is a different one, and is stored sealed beside its hash (decision D15)")
    func subjects() async throws {
        let fixture = try await ProviderFixture.make()
        let member = try await fixture.enter(.apple("anna.subject"))
        let other = TenantID(UUID())

        let hashes = Set([
            fixture.serviceKeys.subjectHash("anna.subject", of: .apple, tenant: fixture.tenant.id),
            fixture.serviceKeys.subjectHash("anna.subject", of: .google, tenant: fixture.tenant.id),
            fixture.serviceKeys.subjectHash("anna.subject", of: .apple, tenant: other),
        ])

        #expect(hashes.count == 3)
        let row = try await fixture.database.superuser.run([
            Statement("select id, subject_sealed from identities where user_id = $1", [.uuid(member.user.uuid)])
        ]).first(0)
        guard let row else { throw NotWhatWasExpected() }
        let opened = try await fixture.keys.vault(of: member.owner).open(try row.bytes(1), .subject, row: try row.uuid(0))
        #expect(String(decoding: opened, as: UTF8.self) == "anna.subject")
    }

    @Test("a nonce is stored as a keyed hash")
    func stored() async throws {
        let fixture = try await ProviderFixture.make()
        let nonce = try await fixture.nonce()

        let hash = fixture.serviceKeys.challengeHash(nonce, tenant: fixture.tenant.id)

        #expect(hash != SHA256.digest(Array(nonce.utf8)) && nonce.utf8.count == 43)
        #expect(
            try await fixture.database.int(
                "select count(*) from sign_in_challenges where tenant_id = $1 and nonce_hash = $2", .uuid(fixture.tenant.id.uuid),
                .bytes(hash)
            )
                == 1)
    }

    @Test("two unlinks and Apple's notice at once leave one sign-in method")
    func unlinking() async throws {
        for turn in 0..<10 {
            let fixture = try await ProviderFixture.make()
            let member = try await fixture.enter(.apple("a"))
            _ = try await fixture.add(.google("g"), to: member)
            let ids = try await fixture.list.run(member).map(\.linked.id)

            _ = try await parallel(3) { number in
                do {
                    if number == 2 {
                        _ = try await fixture.handle.run("n\(turn) a deleted", origin: ProviderFixture.origin)
                    } else {
                        try await fixture.features.identities.unlink(ids[number], origin: ProviderFixture.origin, by: member)
                    }
                    return true
                } catch { return false }
            }

            #expect(try await fixture.database.int("select count(*) from identities where user_id = $1", .uuid(member.user.uuid)) == 1)
        }
    }

    @Test("B14: a notice counts once; consent that was withdrawn ends sessions and grants, and the identity stays")
    func notices() async throws {
        let fixture = try await ProviderFixture.make()
        let member = try await fixture.enter(.apple("a", "x@privaterelay.appleid.com", owns: true), code: "code")
        let grants = "select count(*) from apple_grants where user_id = $1"
        #expect(try await fixture.database.int(grants, .uuid(member.user.uuid)) == 1)

        #expect(try await fixture.handle.run("1 a disabled", origin: ProviderFixture.origin))
        #expect(try await !fixture.isProved(member))
        #expect(try await fixture.handle.run("2 a revoked", origin: ProviderFixture.origin))
        #expect(try await !fixture.handle.run("2 a revoked", origin: ProviderFixture.origin))

        #expect(try await fixture.database.int(grants, .uuid(member.user.uuid)) == 0)
        let refused = await refusal { () async throws(DiaryError) in try await fixture.list.run(member) }
        #expect(refused?.code == .unauthorized)
        #expect(try await fixture.enter(.apple("a")).user == member.user)
        #expect(try await fixture.events(member).contains("sessions_revoked"))
        // A notice on an unknown subject is not an error.
        #expect(try await fixture.handle.run("3 unknown deleted", origin: ProviderFixture.origin))
    }

    @Test("B14: a late notice of withdrawn consent leaves the grant of a later sign-in with the same identity")
    func lateNotice() async throws {
        let fixture = try await ProviderFixture.make()
        let member = try await fixture.enter(.apple("a"), code: "old")
        try await fixture.database.change(
            "update apple_grants set created_at = created_at - interval '1 hour' where user_id = $1", .uuid(member.user.uuid))
        _ = try await fixture.enter(.apple("a"), code: "new")
        func notice(_ minutesAgo: Double) -> AppleNotice {
            let subject = ProviderSubject(
                tenant: fixture.tenant.id, provider: .apple,
                hash: fixture.serviceKeys.subjectHash("a", of: .apple, tenant: fixture.tenant.id))
            return AppleNotice(
                subject: subject, hash: SecureRandom.bytes(32), kind: .consentRevoked, happenedAt: Date() - minutesAgo * 60,
                expiresAt: Date() + 3600, origin: ProviderFixture.origin)
        }
        let grants = "select count(*) from apple_grants where user_id = $1"

        #expect(try await fixture.identities.handle(notice(30)))
        #expect(try await fixture.database.int(grants, .uuid(member.user.uuid)) == 1)
        #expect(try await fixture.identities.handle(notice(0)))
        #expect(try await fixture.database.int(grants, .uuid(member.user.uuid)) == 0)
    }

    @Test("a sign-in with an identity that was unlinked meanwhile keeps its challenge, and makes an account")
    func unlinkedMeanwhile() async throws {
        let fixture = try await ProviderFixture.make()
        let member = try await fixture.enter(.google("g"))
        let nonce = try await fixture.nonce()
        let holder = try await fixture.database.holding(
            Statement("delete from identities where user_id = $1", [.uuid(member.user.uuid)]))
        defer { holder.close() }

        async let signingIn = fixture.signIn.run(
            fixture.form(.google("g"), nonce: nonce), origin: ProviderFixture.origin, in: fixture.tenant)
        try await fixture.database.untilBlocked(by: holder)
        _ = try await holder.run([Statement("commit")])

        let tokens = try await signingIn
        #expect(tokens.isNew && tokens.user != member.user)
        let refused = await refusal { () async throws(DiaryError) in
            try await fixture.signIn.run(fixture.form(.google("g"), nonce: nonce), origin: ProviderFixture.origin, in: fixture.tenant)
        }
        #expect(refused?.code == .tokenRefused, "the challenge counts once")
    }

    @Test("a sign-in that opens no session writes nothing")
    func nothingWritten() async throws {
        let database = try await MigratedDatabase.shared()
        let seedData = try await SeedData.make(in: database)
        let owner = seedData.person.owner
        let store = PostgresIdentityStore(pool: try database.pool(.auth))
        try await database.change("update users set deleted_at = clock_timestamp() where id = $1", .uuid(owner.user.uuid))
        let before = try await Dump.of(owner, in: database)

        #expect(try await !store.signIn(seedData.signIn(), update: nil))

        #expect(try await Dump.of(owner, in: database) == before)
        #expect(
            try await database.int("select count(*) from sign_in_challenges where tenant_id = $1", .uuid(owner.tenant.uuid)) == 1)
    }

    @Test("a grant is sealed under the service's key, claimed by one worker, and outlives its account")
    func grants() async throws {
        let database = try await MigratedDatabase.make()
        let fixture = try await ProviderFixture.make(in: database)
        let store = PostgresAppleGrantStore(pool: try database.pool(.worker))
        let member = try await fixture.enter(.apple("a"), code: "secret-code")

        let claims = try await parallel(8) { _ in try await store.claim(limit: 10) }.flatMap { $0 }
        guard let grant = claims.first, let sealed = grant.codeSealed else { throw NotWhatWasExpected() }
        let opened = try GrantVault(fixture.serviceKeys).open(sealed, .code, owner: grant.owner, identity: grant.identity)
        #expect(claims.count == 1 && grant.owner == member.owner && String(decoding: opened, as: UTF8.self) == "secret-code")
        #expect(throws: DiaryError.self) {
            try GrantVault(fixture.serviceKeys).open(sealed, .token, owner: grant.owner, identity: grant.identity)
        }

        try await store.keep([7, 7], for: grant)
        #expect(try await store.claim(limit: 10).isEmpty)
        try await database.change("delete from users where id = $1", .uuid(member.user.uuid))
        _ = try await database.pool(.worker).run([
            Statement("select set_owner($1, $2)", member.owner.parameters),
            Statement("select request_apple_revocation($1, $2)", member.owner.parameters),
        ])
        let due = try await store.claim(limit: 10)
        #expect(due.count == 1 && due.first?.tokenSealed == [7, 7] && due.first?.revokeRequestedAt != nil && due.first?.codeSealed == nil)
        if let first = due.first { try await store.delete(first) }
        #expect(try await database.int("select count(*) from apple_grants") == 0)
    }

    @Test("a new sign-in by Apple before the old account's revocation was sent keeps the new authorization")
    func comesAgain() async throws {
        let database = try await MigratedDatabase.make()
        let fixture = try await ProviderFixture.make(in: database)
        let first = try await fixture.enter(.apple("a"), code: "old")
        _ = try await fixture.enter(.apple("b"), code: "another person's")
        try await database.change("delete from users where id = $1", .uuid(first.user.uuid))
        try await database.change("update apple_grants set revoke_requested_at = clock_timestamp()")

        _ = try await fixture.enter(.apple("a"), code: "new")

        #expect(try await database.int("select count(*) from apple_grants where revoke_requested_at is null") == 1)
        #expect(try await database.int("select count(*) from apple_grants where user_id = $1", .uuid(first.user.uuid)) == 0)
        #expect(try await database.int("select count(*) from apple_grants") == 2)
    }

    @Test("challenges, notices, codes and revocations past their time are swept")
    func sweeping() async throws {
        let database = try await MigratedDatabase.make()
        let fixture = try await ProviderFixture.make(in: database)
        let sweep = PostgresSweepStore(pool: try database.pool(.worker))
        let member = try await fixture.enter(.apple("a"), code: "c")
        _ = try await fixture.nonce()
        _ = try await fixture.handle.run("1 a enabled", origin: ProviderFixture.origin)
        _ = try await sweep.sweepOld(most: 1_000)
        let counted =
            "select (select count(*) from sign_in_challenges) + (select count(*) from provider_notices) + (select count(*) from apple_grants)"
        #expect(try await database.int(counted) == 3)

        try await database.change("update sign_in_challenges set expires_at = clock_timestamp() - interval '1 second'")
        try await database.change("update provider_notices set expires_at = clock_timestamp() - interval '1 second'")
        try await database.change("update apple_grants set code_at = clock_timestamp() - interval '11 minutes'")
        _ = try await sweep.sweepOld(most: 1_000)

        #expect(try await database.int(counted) == 0)
        // An account made by a provider's sign-in is not an unconfirmed sign-up.
        try await database.change("update users set created_at = created_at - interval '30 days' where id = $1", .uuid(member.user.uuid))
        _ = try await sweep.sweepOld(most: 1_000)
        #expect(try await database.int("select count(*) from users where id = $1", .uuid(member.user.uuid)) == 1)
    }
}
