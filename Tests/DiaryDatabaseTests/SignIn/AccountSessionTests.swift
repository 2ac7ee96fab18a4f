import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Sessions and their tokens", .timeLimit(.minutes(2)))
struct AccountSessionTests {
    private func rotate(
        _ fixture: SignUpFixture, _ session: NewSession, number: Int, _ hash: [UInt8], to next: [UInt8], grace: Int = 60, idle: Int = 100
    ) async throws -> RotationOutcome {
        try await fixture.store.rotate(
            session.id, of: fixture.otherAccount.owner,
            Rotation(
                number: number, hash: hash, nextHash: next, graceSeconds: grace, burstSeconds: 10, graceUses: 3, idleSeconds: idle,
                requestID: nil))
    }

    @Test("a token is rotated once; its parent within the grace gets the same successor; anything else is refused")
    func rotation() async throws {
        let fixture = try await SignUpFixture.make()
        let session = fixture.session()
        #expect(try await fixture.store.openSession(session, for: fixture.otherAccount.owner, by: "phc-of-the-account", rehashed: nil))

        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]).isRotated)
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]).isRepeated)
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [99]) == .refused)
        #expect(try await rotate(fixture, session, number: 1, [98], to: [2]) == .refused)
        #expect(try await rotate(fixture, session, number: 2, [98], to: [3]) == .refused)
        #expect(try await rotate(fixture, session, number: 3, [2], to: [3]) == .refused)
        #expect(try await rotate(fixture, session, number: 2, [2], to: [3]).isRotated)
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]) == .older(newest: 3, hash: [3]))
        #expect(try await rotate(fixture, session, number: 3, [3], to: [4]).isRotated)
    }

    @Test("of 20 parallel rotations of one token one rotates and the others are within the grace")
    func parallelRotation() async throws {
        let fixture = try await SignUpFixture.make()
        let session = fixture.session()
        #expect(try await fixture.store.openSession(session, for: fixture.otherAccount.owner, by: "phc-of-the-account", rehashed: nil))

        let outcomes = try await parallel(20) { _ in try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]) }

        #expect(outcomes.count { $0.isRotated } == 1)
        #expect(outcomes.count { $0.isRepeated } == 19)
        #expect(try await fixture.database.int("select refresh_number from sessions where id = $1", .uuid(session.id.uuid)) == 2)
    }

    @Test("an account has a hundred open sessions at most: the one used longest ago ends, which its owner sees; no other account's does")
    func bounded() async throws {
        let fixture = try await SignUpFixture.make()
        let owner = fixture.otherAccount.owner
        let other = try await Person.make(in: fixture.database, tenant: owner.tenant)
        try await fixture.database.change(
            """
            insert into sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash, last_used_at)
            select $1, u, gen_random_uuid(), clock_timestamp() + interval '90 days', clock_timestamp() + interval '30 days', 1, '',
                clock_timestamp() - make_interval(hours => n)
            from generate_series(1, 99) n, unnest(array[$2, $3]::uuid[]) u
            """, .uuid(owner.tenant.uuid), .uuid(owner.user.uuid), .uuid(other.owner.user.uuid))
        func open(_ user: UserID) async throws -> Int64 {
            try await fixture.database.int("select count(*) from sessions where user_id = $1 and revoked_at is null", .uuid(user.uuid))
        }
        #expect(try await open(owner.user) == 100)

        let outcomes = try await parallel(8) { _ in
            try await fixture.store.openSession(fixture.session(), for: owner, by: "phc-of-the-account", rehashed: nil)
        }

        #expect(outcomes == Array(repeating: true, count: 8))
        #expect(try await open(owner.user) == 100)
        #expect(try await open(other.owner.user) == 100)
        #expect(
            try await fixture.database.int(
                """
                select count(*) from sessions where user_id = $1 and revoked_at is not null
                    and last_used_at < clock_timestamp() - interval '91 hours'
                """, .uuid(owner.user.uuid)) == 8)
        #expect(
            try await fixture.database.int(
                "select count(*) from audit_events where user_id = $1 and kind = 'session_revoked' and actor = 'service'",
                .uuid(owner.user.uuid))
                == 8)
    }

    @Test("an account with far too many open sessions loses some with each sign-in, and can sign in")
    func fromBefore() async throws {
        let fixture = try await SignUpFixture.make(in: try await MigratedDatabase.make())
        let owner = fixture.otherAccount.owner
        try await fixture.database.change("alter table sessions disable trigger sessions_bounded")
        try await fixture.database.change(
            """
            insert into sessions (tenant_id, user_id, id, expires_at, idle_expires_at, refresh_number, refresh_hash)
            select $1, $2, gen_random_uuid(), clock_timestamp() + interval '90 days', clock_timestamp() + interval '30 days', 1, ''
            from generate_series(1, 1199)
            """, .uuid(owner.tenant.uuid), .uuid(owner.user.uuid))
        try await fixture.database.change("alter table sessions enable trigger sessions_bounded")

        for left: Int64 in [701, 202, 100] {
            #expect(try await fixture.store.openSession(fixture.session(), for: owner, by: "phc-of-the-account", rehashed: nil))
            #expect(
                try await fixture.database.int(
                    "select count(*) from sessions where user_id = $1 and revoked_at is null", .uuid(owner.user.uuid)) == left)
        }
    }

    @Test("B15: a sign-in concurrent with disabling the account leaves no session that enabling would revive")
    func disabledMeanwhile() async throws {
        let fixture = try await SignUpFixture.make()
        let owner = fixture.otherAccount.owner
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([
            Statement("begin"), Statement("select admin_set_disabled($1, $2, true, 'operator')", owner.parameters),
        ])
        async let signingIn = refusal { () throws(DiaryError) in
            try await fixture.store.openSession(fixture.session(), for: owner, by: "phc-of-the-account", rehashed: nil)
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while try await fixture.database.int(
            """
            select (select count(*) from pg_locks w where not w.granted and w.pid in (
                    select pid from pg_locks where database = (select oid from pg_database where datname = current_database())))
                + (select count(*) from sessions where user_id = $1) - 1
            """,
            .uuid(owner.user.uuid)) == 0
        {
            guard ContinuousClock.now < deadline else { throw NotWhatWasExpected() }
        }
        _ = try await holder.run([Statement("commit")])
        _ = await signingIn

        #expect(
            try await fixture.database.int(
                "select count(*) from sessions where user_id = $1 and revoked_at is null", .uuid(owner.user.uuid)) == 0)
    }

    @Test("C1: a notice is queued only for the account of the transaction and only to a proved address, five an hour")
    func notices() async throws {
        let database = try await MigratedDatabase.make()
        let (proved, other) = (try await Person.make(in: database), try await Person.make(in: database))
        let unproved = try await Person.make(in: database, verified: false)
        let pool = try database.pool(.api)
        func queue(_ about: Person, as person: Person) async -> DatabaseError? {
            await failure { () throws(DatabaseError) in
                _ = try await pool.run([
                    Statement("select set_owner($1, $2)", person.owner.parameters),
                    Statement("select queue_notice($1, $2, 'identity_linked')", about.owner.parameters),
                ])
            }
        }

        #expect(await queue(other, as: proved)?.kind == .raised(code: "DI404"))
        #expect(await queue(unproved, as: unproved) == nil)
        for _ in 0..<7 { #expect(await queue(proved, as: proved) == nil) }

        let waiting = try await database.text("select string_agg(user_id::text, ' ') from mails")
        #expect(waiting == Array(repeating: proved.owner.user.uuid.uuidString.lowercased(), count: 5).joined(separator: " "))
    }

    @Test("a parent used after the grace ends the session for both holders (decision D8)")
    func reuse() async throws {
        let fixture = try await SignUpFixture.make()
        let session = fixture.session()
        #expect(try await fixture.store.openSession(session, for: fixture.otherAccount.owner, by: "phc-of-the-account", rehashed: nil))
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]).isRotated)
        // A forged token with the right number ends nothing.
        #expect(try await rotate(fixture, session, number: 1, [98], to: [2], grace: 0) == .refused)
        #expect(try await rotate(fixture, session, number: 2, [2], to: [3]).isRotated)

        #expect(try await rotate(fixture, session, number: 2, [2], to: [3], grace: 0) == .reused)
        #expect(
            try await fixture.database.int(
                """
                select count(*) from mails m join jobs j on j.subject = m.id and j.kind = 'mail'
                where m.user_id = $1 and m.kind = 'session_reused' and m.address_sealed is not null
                """, .uuid(fixture.otherAccount.owner.user.uuid)) == 1)

        #expect(try await rotate(fixture, session, number: 3, [3], to: [4]) == .refused)
        #expect(
            try await fixture.database.text("select (revoked_at is not null)::text from sessions where id = $1", .uuid(session.id.uuid))
                == "true")
    }

    @Test(
        "a session ends with its idle and with its absolute life; using it extends only the first",
        arguments: ["idle_expires_at", "expires_at", "revoked_at"])
    func lives(column: String) async throws {
        let fixture = try await SignUpFixture.make()
        let session = fixture.session()
        #expect(try await fixture.store.openSession(session, for: fixture.otherAccount.owner, by: "phc-of-the-account", rehashed: nil))
        func lives() async throws -> String? {
            try await fixture.database.text(
                """
                select round(extract(epoch from idle_expires_at - last_used_at)) || ' ' || round(extract(epoch from expires_at - created_at))
                from sessions where id = $1
                """, .uuid(session.id.uuid))
        }
        #expect(try await lives() == "100 1000")
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2], idle: 200).isRotated)
        #expect(try await lives() == "200 1000")

        try await fixture.database.change("update sessions set \(column) = now() - interval '1 s' where id = $1", .uuid(session.id.uuid))

        #expect(try await rotate(fixture, session, number: 2, [2], to: [3]) == .refused)
        #expect(try await rotate(fixture, session, number: 1, session.refreshHash, to: [2]) == .refused)
    }

    @Test("another person's session cannot be rotated")
    func otherOwner() async throws {
        let fixture = try await SignUpFixture.make()
        let other = try await Person.make(in: fixture.database, tenant: fixture.otherAccount.owner.tenant)

        let outcome = try await fixture.store.rotate(
            other.member.session, of: fixture.otherAccount.owner, .from(1, other.refreshHash, to: [2]))

        #expect(outcome == .refused)
    }

    @Test("a sign-in may bring a stronger hash of the password")
    func rehashed() async throws {
        let fixture = try await SignUpFixture.make()
        let otherAccount = fixture.otherAccount

        let isOpen = try await fixture.store.openSession(
            fixture.session(), for: otherAccount.owner, by: "phc-of-the-account",
            rehashed: (emailHash: otherAccount.emailHash, phc: "stronger"))

        #expect(isOpen)

        #expect(try await fixture.phc(otherAccount.owner) == "stronger")
        #expect(try await fixture.sessions(otherAccount.owner) == 2)
    }

    @Test("B15: a password that was verified and has changed meanwhile opens no session and restores no hash")
    func changedMeanwhile() async throws {
        let fixture = try await SignUpFixture.make()
        let otherAccount = fixture.otherAccount
        try await fixture.database.change(
            "update identities set password_phc = 'new' where user_id = $1", .uuid(otherAccount.member.user.uuid))

        let isOpen = try await fixture.store.openSession(
            fixture.session(), for: otherAccount.owner, by: "phc-of-the-account",
            rehashed: (emailHash: otherAccount.emailHash, phc: "stronger"))

        #expect(!isOpen)
        #expect(try await fixture.phc(otherAccount.owner) == "new")
        #expect(try await fixture.sessions(otherAccount.owner) == 1)
    }
}
