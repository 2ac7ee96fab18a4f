import DiaryCore
import DiaryCrypto
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Account store", .timeLimit(.minutes(2)))
struct AccountStoreTests {
    private struct Setting {
        let database: MigratedDatabase
        let store: PostgresAccountStore
        /// Only its tenant matters to sign-ups.
        let neighbour: Person

        static func make() async throws -> Setting {
            let database = try await MigratedDatabase.shared()
            return Setting(
                database: database, store: PostgresAccountStore(pool: try database.pool(.auth)),
                neighbour: try await Person.make(in: database))
        }

        func account(hash: [UInt8] = SecureRandom.bytes(32), zone: String = "UTC") -> NewAccount {
            NewAccount(
                owner: Owner(tenant: neighbour.owner.tenant, user: UserID(UUIDv7.make())), keyID: UUID(), emailHash: hash, emailSealed: [1],
                nameSealed: nil,
                timeZone: zone, locale: "de", passwordPHC: "phc-of-code")
        }

        func code(_ hash: [UInt8] = SecureRandom.bytes(32), registration: [UInt8] = [9], lifetime: Int = 1_800) -> NewCode {
            NewCode(id: UUIDv7.make(), hash: hash, registrationHash: registration, lifetimeSeconds: lifetime)
        }

        func session() -> NewSession {
            NewSession(
                id: SessionID(UUIDv7.make()), deviceSealed: nil, refreshHash: SecureRandom.bytes(32), idleSeconds: 100,
                absoluteSeconds: 1_000)
        }

        /// Signed up, the code in the mail.
        func signedUp(codeHash: [UInt8] = [1, 2, 3], lifetime: Int = 1_800) async throws -> NewAccount {
            let account = account()
            let made = try await store.register(
                account, code: code(codeHash, lifetime: lifetime), mail: neighbour.mail())
            #expect(made)
            return account
        }

        func phc(_ owner: Owner) async throws -> String? {
            try await database.text("select password_phc from identities where user_id = $1", .uuid(owner.user.uuid))
        }

        func sessions(_ owner: Owner) async throws -> Int64 {
            try await database.int("select count(*) from sessions where user_id = $1", .uuid(owner.user.uuid))
        }
    }

    // MARK: Sign-up

    @Test("a sign-up writes everything at once; a second one with the address writes nothing; another tenant's is independent")
    func register() async throws {
        let setting = try await Setting.make()
        let elsewhere = try await Setting.make()
        let first = try await setting.signedUp()
        let second = setting.account(hash: first.emailHash)

        #expect(try await setting.store.register(second, code: setting.code(), mail: setting.neighbour.mail()) == false)
        #expect(
            try await elsewhere.store.register(
                elsewhere.account(hash: first.emailHash), code: setting.code(), mail: setting.neighbour.mail()))

        let counts = try await Dump.of(first.owner, in: setting.database).hashes.mapValues { String($0.prefix { $0 != " " }) }.filter {
            $0.value != "0"
        }
        #expect(counts == ["users": "1", "user_sync": "1", "identities": "1", "email_codes": "1", "mails": "1", "jobs": "1"])
        #expect(try await Dump.of(second.owner, in: setting.database).hashes.values.allSatisfy { $0 == "0 -" })
        let identity = try await setting.store.emailIdentity(first.emailHash, tenant: first.owner.tenant)
        #expect(identity?.owner == first.owner && identity?.keyID == first.keyID && identity?.verified == false)
    }

    @Test("of 20 parallel sign-ups with one address one is made")
    func parallelRegister() async throws {
        let setting = try await Setting.make()
        let hash = SecureRandom.bytes(32)

        let made = try await parallel(20) { _ in
            try await setting.store.register(setting.account(hash: hash), code: setting.code(), mail: setting.neighbour.mail())
        }

        #expect(made.count { $0 } == 1)
        #expect(
            try await setting.database.int("select count(*) from users where tenant_id = $1", .uuid(setting.neighbour.owner.tenant.uuid))
                == 2)
    }

    @Test("a sign-up with what is no zone is an invalid field", arguments: ["+02:00", "Europe/Berlln", "Mars5"])
    func badZone(zone: String) async throws {
        let setting = try await Setting.make()
        let account = setting.account(zone: zone)

        let error = await refusal { () throws(DiaryError) in
            try await setting.store.register(account, code: setting.code(), mail: setting.neighbour.mail())
        }

        #expect(error?.fields.map(\.pointer) == ["/time_zone"])
        #expect(try await Dump.of(account.owner, in: setting.database).hashes.values.allSatisfy { $0 == "0 -" })
    }

    @Test("an address is not found in another tenant, nor when its user is deleted")
    func identityElsewhere() async throws {
        let setting = try await Setting.make()
        let elsewhere = try await Setting.make()
        let account = try await setting.signedUp()

        #expect(try await setting.store.emailIdentity(account.emailHash, tenant: elsewhere.neighbour.owner.tenant) == nil)
        try await setting.database.change("update users set deleted_at = now() where id = $1", .uuid(account.owner.user.uuid))
        #expect(try await setting.store.emailIdentity(account.emailHash, tenant: account.owner.tenant) == nil)
    }

    // MARK: Codes

    @Test("the right code verifies the address, brings its own sign-up's password, opens the session, and works once")
    func rightCode() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1, 2, 3])
        #expect(try await setting.phc(account.owner) == nil)

        let first = try await setting.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: setting.session())
        let again = try await setting.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: setting.session())

        #expect(first && !again)
        #expect(try await setting.phc(account.owner) == "phc-of-code")
        #expect(try await setting.sessions(account.owner) == 1)
        #expect(try await setting.store.emailIdentity(account.emailHash, tenant: account.owner.tenant)?.verified == true)
    }

    @Test("of two living codes the one that comes back brings its own password, and the other one ends")
    func ownPassword() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])
        let stranger = setting.code([2], registration: [8])
        #expect(
            try await setting.store.issueCode(
                stranger, passwordPHC: "phc-of-stranger", mail: setting.neighbour.mail(), to: account.owner, perHour: 5))

        #expect(
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: setting.session()))

        #expect(try await setting.phc(account.owner) == "phc-of-code")
        #expect(
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: setting.session())
                == false)
        #expect(try await setting.phc(account.owner) == "phc-of-code")
        #expect(
            try await setting.database.int(
                "select count(*) from email_codes where user_id = $1 and used_at is null", .uuid(account.owner.user.uuid)) == 0)
    }

    @Test("of 20 parallel uses of the right code one opens a session")
    func parallelRightCode() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])

        let outcomes = try await parallel(20) { _ in
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: setting.session())
        }

        #expect(outcomes.count { $0 } == 1)
        #expect(try await setting.sessions(account.owner) == 1)
    }

    @Test(
        "wrong codes count against every living one, one after another or 20 at once; at the limit the right one is refused too",
        arguments: [true, false])
    func wrongCodes(atOnce: Bool) async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])
        #expect(
            try await setting.store.issueCode(
                setting.code([2]), passwordPHC: "phc-of-second", mail: setting.neighbour.mail(), to: account.owner, perHour: 5))
        func guess(_ code: UInt8) async throws -> Bool {
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [code], maxTries: 5, session: setting.session())
        }

        if atOnce {
            _ = try await parallel(20) { number in
                try await setting.store.verifyEmail(
                    account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [UInt8(100 + number)], maxTries: 5,
                    session: setting.session())
            }
        } else {
            for number in UInt8(100)..<105 { #expect(try await guess(number) == false) }
        }

        #expect(
            try await setting.database.text(
                "select string_agg(tries::text, ' ') from email_codes where user_id = $1", .uuid(account.owner.user.uuid))
                == (atOnce ? "20 20" : "5 5"))
        #expect(try await guess(1) == false)
        #expect(try await guess(2) == false)
        #expect(try await setting.sessions(account.owner) == 0)
    }

    @Test("one try before the limit the right code still works")
    func lastTry() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])
        for number in UInt8(100)..<104 {
            _ = try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [number], maxTries: 5, session: setting.session())
        }

        #expect(
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: setting.session()))
    }

    @Test("wrong codes of another sign-up with the address leave this one's code alone")
    func strangersTries() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])
        for number in UInt8(100)..<110 {
            let guessed = try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [8], codeHash: [number], maxTries: 5, session: setting.session())
            #expect(!guessed)
        }

        let proved = try await setting.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: setting.session())

        #expect(proved)
    }

    @Test("a code again has its sign-up's password; an unknown sign-up gets none; the cap holds for 20 at once")
    func codeAgain() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1])
        let unknown = try await setting.store.reissueCode(
            setting.code(registration: [7]), mail: setting.neighbour.mail(), to: account.owner, perHour: 5)
        let again = try await setting.store.reissueCode(setting.code([2]), mail: setting.neighbour.mail(), to: account.owner, perHour: 5)

        let outcomes = try await parallel(20) { _ in
            try await setting.store.reissueCode(setting.code(), mail: setting.neighbour.mail(), to: account.owner, perHour: 5)
        }

        #expect(!unknown && again)
        #expect(outcomes.count { $0 } == 3)
        let proved = try await setting.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: setting.session())
        #expect(proved)
        #expect(try await setting.phc(account.owner) == "phc-of-code")
    }

    @Test("an expired code is refused")
    func expiredCode() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp(codeHash: [1], lifetime: 0)

        #expect(
            try await setting.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: setting.session())
                == false)
    }

    @Test("a code is of no use with another person's address")
    func foreignCode() async throws {
        let setting = try await Setting.make()
        let victim = try await setting.signedUp(codeHash: [1])
        let other = try await setting.signedUp(codeHash: [2])

        #expect(
            try await setting.store.verifyEmail(
                victim.emailHash, owner: other.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: setting.session())
                == false)
        #expect(
            try await setting.store.verifyEmail(
                victim.emailHash, owner: victim.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: setting.session())
                == false)
        #expect(try await setting.store.emailIdentity(victim.emailHash, tenant: victim.owner.tenant)?.verified == false)
    }

    @Test("codes have a cap an hour, also for 20 at once; each has its mail and job; the hour passes")
    func codesPerHour() async throws {
        let setting = try await Setting.make()
        let account = try await setting.signedUp()
        func issue() async throws -> Bool {
            try await setting.store.issueCode(
                setting.code(), passwordPHC: "phc-of-second", mail: setting.neighbour.mail(), to: account.owner, perHour: 5)
        }

        let outcomes = try await parallel(20) { _ in
            try await setting.store.issueCode(
                setting.code(), passwordPHC: "phc-of-second", mail: setting.neighbour.mail(), to: account.owner, perHour: 5)
        }

        #expect(outcomes.count { $0 } == 4)
        for table in ["email_codes", "mails", "jobs"] {
            #expect(try await setting.database.int("select count(*) from \(table) where user_id = $1", .uuid(account.owner.user.uuid)) == 5)
        }
        #expect(try await issue() == false)
        try await setting.database.change(
            "update email_codes set created_at = created_at - interval '61 minutes' where user_id = $1", .uuid(account.owner.user.uuid))
        #expect(try await issue())
    }

    @Test("a mail without a code waits with its job")
    func queuedMail() async throws {
        let setting = try await Setting.make()
        let mail = setting.neighbour.mail(.addressAlreadyRegistered)

        try await setting.store.queue(mail, to: setting.neighbour.owner, perHour: 5)

        #expect(
            try await setting.database.text("select state from jobs where id = $1 and kind = 'mail' and subject = $1", .uuid(mail.id.uuid))
                == "ready")
        #expect(try await setting.database.text("select status from mails where id = $1", .uuid(mail.id.uuid)) == "waiting")
    }

    // MARK: Sessions

    private func rotate(
        _ setting: Setting, _ session: NewSession, number: Int, _ hash: [UInt8], to next: [UInt8], grace: Int = 60, idle: Int = 100
    ) async throws -> RotationOutcome {
        try await setting.store.rotate(
            session.id, of: setting.neighbour.owner, presentedNumber: number, presentedHash: hash, nextHash: next, graceSeconds: grace,
            idleSeconds: idle)
    }

    @Test("a token is rotated once; its parent within the grace gets the same successor; anything else is refused")
    func rotation() async throws {
        let setting = try await Setting.make()
        let session = setting.session()
        try await setting.store.openSession(session, for: setting.neighbour.owner, rehashed: nil)

        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) == .rotated)
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) == .withinGrace)
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [99]) == .refused)
        #expect(try await rotate(setting, session, number: 1, [98], to: [2]) == .refused)
        #expect(try await rotate(setting, session, number: 2, [98], to: [3]) == .refused)
        #expect(try await rotate(setting, session, number: 3, [2], to: [3]) == .refused)
        #expect(try await rotate(setting, session, number: 2, [2], to: [3]) == .rotated)
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) == .refused)
        #expect(try await rotate(setting, session, number: 3, [3], to: [4]) == .rotated)
    }

    @Test("of 20 parallel rotations of one token one rotates and the others are within the grace")
    func parallelRotation() async throws {
        let setting = try await Setting.make()
        let session = setting.session()
        try await setting.store.openSession(session, for: setting.neighbour.owner, rehashed: nil)

        let outcomes = try await parallel(20) { _ in try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) }

        #expect(outcomes.count { $0 == .rotated } == 1)
        #expect(outcomes.count { $0 == .withinGrace } == 19)
        #expect(try await setting.database.int("select refresh_number from sessions where id = $1", .uuid(session.id.uuid)) == 2)
    }

    @Test("a parent that comes after the grace ends the session for both who hold it (D8)")
    func reuse() async throws {
        let setting = try await Setting.make()
        let session = setting.session()
        try await setting.store.openSession(session, for: setting.neighbour.owner, rehashed: nil)
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) == .rotated)
        // A guess with the right number ends nothing.
        #expect(try await rotate(setting, session, number: 1, [98], to: [2], grace: 0) == .refused)
        #expect(try await rotate(setting, session, number: 2, [2], to: [3]) == .rotated)

        #expect(try await rotate(setting, session, number: 2, [2], to: [3], grace: 0) == .refused)

        #expect(try await rotate(setting, session, number: 3, [3], to: [4]) == .refused)
        #expect(
            try await setting.database.text("select (revoked_at is not null)::text from sessions where id = $1", .uuid(session.id.uuid))
                == "true")
    }

    @Test(
        "a session ends with its idle and with its absolute life; using it moves the first alone",
        arguments: ["idle_expires_at", "expires_at", "revoked_at"])
    func lives(column: String) async throws {
        let setting = try await Setting.make()
        let session = setting.session()
        try await setting.store.openSession(session, for: setting.neighbour.owner, rehashed: nil)
        func lives() async throws -> String? {
            try await setting.database.text(
                """
                select round(extract(epoch from idle_expires_at - last_used_at)) || ' ' || round(extract(epoch from expires_at - created_at))
                from sessions where id = $1
                """, .uuid(session.id.uuid))
        }
        #expect(try await lives() == "100 1000")
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2], idle: 200) == .rotated)
        #expect(try await lives() == "200 1000")

        try await setting.database.change("update sessions set \(column) = now() - interval '1 s' where id = $1", .uuid(session.id.uuid))

        #expect(try await rotate(setting, session, number: 2, [2], to: [3]) == .refused)
        #expect(try await rotate(setting, session, number: 1, session.refreshHash, to: [2]) == .refused)
    }

    @Test("another person's session does not rotate under one's own name")
    func foreignRotation() async throws {
        let setting = try await Setting.make()
        let other = try await Person.make(in: setting.database, tenant: setting.neighbour.owner.tenant)

        let outcome = try await setting.store.rotate(
            other.member.session, of: setting.neighbour.owner, presentedNumber: 1, presentedHash: other.refreshHash, nextHash: [2],
            graceSeconds: 60,
            idleSeconds: 100)

        #expect(outcome == .refused)
    }

    @Test("a sign-in may bring a stronger hash of the password")
    func rehashed() async throws {
        let setting = try await Setting.make()
        let neighbour = setting.neighbour

        try await setting.store.openSession(
            setting.session(), for: neighbour.owner, rehashed: (emailHash: neighbour.emailHash, phc: "stronger"))

        #expect(try await setting.phc(neighbour.owner) == "stronger")
        #expect(try await setting.sessions(neighbour.owner) == 2)
    }
}
