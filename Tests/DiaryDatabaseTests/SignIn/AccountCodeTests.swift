import DiaryCrypto
import Foundation
import Testing

@testable import DiaryCore
@testable import DiaryDatabase
@testable import PostgresClient

@Suite("Mailed codes", .timeLimit(.minutes(2)))
struct AccountCodeTests {
    @Test("the right code verifies the address, sets its own sign-up's password, opens the session, and works once")
    func rightCode() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1, 2, 3])
        #expect(try await fixture.phc(account.owner) == nil)

        let first = try await fixture.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: fixture.session())
        let again = try await fixture.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: fixture.session())

        #expect(first && !again)
        #expect(try await fixture.phc(account.owner) == "phc-of-code")
        #expect(try await fixture.sessions(account.owner) == 1)
        #expect(try await fixture.store.emailIdentity(account.emailHash, tenant: account.owner.tenant)?.verified == true)
    }

    @Test("of two valid codes the one that is used sets its own password, and the other one ends")
    func ownPassword() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        let second = fixture.code([2], registration: [8])
        #expect(
            try await fixture.store.issueCode(
                second, SignUp(passwordPHC: "phc-of-second"), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few))

        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: fixture.session()))

        #expect(try await fixture.phc(account.owner) == "phc-of-code")
        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: fixture.session())
                == false)
        #expect(try await fixture.phc(account.owner) == "phc-of-code")
        #expect(
            try await fixture.database.int(
                "select count(*) from email_codes where user_id = $1 and used_at is null", .uuid(account.owner.user.uuid)) == 0)
    }

    @Test("B13: the account has the name, zone and language of the sign-up whose code was used, also of one sent again")
    func ownProfile() async throws {
        let fixture = try await SignUpFixture.make()
        func profile(_ account: NewAccount) async throws -> String? {
            try await fixture.database.text(
                "select concat_ws(' ', encode(name_sealed, 'hex'), time_zone, locale) from users where id = $1",
                .uuid(account.owner.user.uuid))
        }
        for number in 0..<3 {
            let account = try await fixture.signedUp(codeHash: [1])
            let second = SignUp(passwordPHC: "phc-of-second", nameSealed: [7], timeZone: "Europe/Berlin", locale: "fr")
            #expect(
                try await fixture.store.issueCode(
                    fixture.code([2], registration: [8]), second, mail: fixture.otherAccount.mail(), to: account.owner, limits: .few))
            #expect(
                try await fixture.store.reissueCode(
                    fixture.code([3], registration: [8]), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few))
            #expect(try await profile(account) == "UTC de")

            #expect(
                try await fixture.store.verifyEmail(
                    account.emailHash, owner: account.owner, registrationHash: [number == 0 ? 9 : 8], codeHash: [UInt8(number + 1)],
                    maxTries: 5, session: fixture.session()))

            #expect(try await profile(account) == (number == 0 ? "UTC de" : "07 Europe/Berlin fr"))
            #expect(try await fixture.phc(account.owner) == (number == 0 ? "phc-of-code" : "phc-of-second"))
        }
    }

    @Test("E8: a requester that uses up its limit of codes leaves other requesters theirs")
    func requestersShare() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        @Sendable func ask(_ requester: [UInt8], registration: UInt8) async throws -> Bool {
            try await fixture.store.issueCode(
                fixture.code(registration: [registration], requester: requester), SignUp(passwordPHC: "phc"),
                mail: fixture.otherAccount.mail(), to: account.owner, limits: Limits())
        }

        let issued = try await parallel(30) { number in try await ask([1], registration: UInt8(100 + number)) }

        // The first sign-up came from the same requester.
        #expect(issued.count { $0 } == Limits().codesPerHour - 1)
        #expect(try await ask([2], registration: 200))
        for requester: UInt8 in 3..<9 {
            for number: UInt8 in 0..<5 { _ = try await ask([requester], registration: requester * 10 + number) }
        }
        #expect(
            try await fixture.database.int("select count(*) from email_codes where user_id = $1", .uuid(account.owner.user.uuid))
                == Int64(Limits().addressCodesPerHour))
    }

    @Test("of 20 parallel uses of the right code one opens a session")
    func parallelRightCode() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: fixture.session())
        }

        #expect(outcomes.count { $0 } == 1)
        #expect(try await fixture.sessions(account.owner) == 1)
    }

    @Test(
        "wrong codes count against every valid one, one after another or 20 at once; at the limit the right one is refused too",
        arguments: [true, false])
    func wrongCodes(atOnce: Bool) async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        #expect(
            try await fixture.store.issueCode(
                fixture.code([2]), SignUp(passwordPHC: "phc-of-second"), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)
        )
        func guess(_ code: UInt8) async throws -> Bool {
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [code], maxTries: 5, session: fixture.session())
        }

        if atOnce {
            _ = try await parallel(20) { number in
                try await fixture.store.verifyEmail(
                    account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [UInt8(100 + number)], maxTries: 5,
                    session: fixture.session())
            }
        } else {
            for number in UInt8(100)..<105 { #expect(try await guess(number) == false) }
        }

        #expect(
            try await fixture.database.text(
                "select string_agg(tries::text, ' ') from email_codes where user_id = $1", .uuid(account.owner.user.uuid))
                == (atOnce ? "20 20" : "5 5"))
        #expect(try await guess(1) == false)
        #expect(try await guess(2) == false)
        #expect(try await fixture.sessions(account.owner) == 0)
    }

    @Test("one try below the limit the right code still works")
    func lastTry() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        for number in UInt8(100)..<104 {
            _ = try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [number], maxTries: 5, session: fixture.session())
        }

        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: fixture.session()))
    }

    @Test("wrong codes of another sign-up with the address leave this one's code alone")
    func codesOfAnotherSignUp() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        for number in UInt8(100)..<110 {
            let guessed = try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [8], codeHash: [number], maxTries: 5, session: fixture.session())
            #expect(!guessed)
        }

        let proved = try await fixture.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: fixture.session())

        #expect(proved)
    }

    @Test("a repeated code has its sign-up's password; an unknown sign-up gets none; the cap holds for 20 at once")
    func codeAgain() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        let unknown = try await fixture.store.reissueCode(
            fixture.code(registration: [7]), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)
        let again = try await fixture.store.reissueCode(
            fixture.code([2]), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.reissueCode(fixture.code(), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)
        }

        #expect(!unknown && again)
        #expect(outcomes.count { $0 } == 3)
        let proved = try await fixture.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: fixture.session())
        #expect(proved)
        #expect(try await fixture.phc(account.owner) == "phc-of-code")
    }

    @Test("E8: however many sign-ups share an address and ask again, it gets no more codes an hour than it may")
    func addressCap() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        for sign: UInt8 in 10..<14 {
            #expect(
                try await fixture.store.issueCode(
                    fixture.code(registration: [sign]), SignUp(passwordPHC: "phc"), mail: fixture.otherAccount.mail(), to: account.owner,
                    limits: .few))
        }

        for sign: UInt8 in 10..<14 {
            #expect(
                try await fixture.store.reissueCode(
                    fixture.code(registration: [sign]), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few) == false)
        }

        #expect(
            try await fixture.database.int("select count(*) from email_codes where user_id = $1", .uuid(account.owner.user.uuid)) == 5)
    }

    @Test("an expired code is refused")
    func expiredCode() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1], lifetime: 0)

        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: fixture.session())
                == false)
    }

    @Test("a code does not work with another person's address")
    func otherAddress() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp(codeHash: [1])
        let other = try await fixture.signedUp(codeHash: [2])

        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: other.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: fixture.session())
                == false)
        #expect(
            try await fixture.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: fixture.session())
                == false)
        #expect(try await fixture.store.emailIdentity(account.emailHash, tenant: account.owner.tenant)?.verified == false)
    }

    @Test("codes have a cap an hour, also for 20 at once; each has its mail and job; the hour passes")
    func codesPerHour() async throws {
        let fixture = try await SignUpFixture.make()
        let account = try await fixture.signedUp()
        func issue() async throws -> Bool {
            try await fixture.store.issueCode(
                fixture.code(), SignUp(passwordPHC: "phc-of-second"), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)
        }

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.issueCode(
                fixture.code(), SignUp(passwordPHC: "phc-of-second"), mail: fixture.otherAccount.mail(), to: account.owner, limits: .few)
        }

        #expect(outcomes.count { $0 } == 4)
        for table in ["email_codes", "mails", "jobs"] {
            #expect(try await fixture.database.int("select count(*) from \(table) where user_id = $1", .uuid(account.owner.user.uuid)) == 5)
        }
        #expect(try await issue() == false)
        try await fixture.database.change(
            "update email_codes set created_at = created_at - interval '61 minutes' where user_id = $1", .uuid(account.owner.user.uuid))
        #expect(try await issue())
    }

    @Test("a mail without a code waits with its job")
    func queuedMail() async throws {
        let fixture = try await SignUpFixture.make()
        let mail = fixture.otherAccount.mail(.addressAlreadyRegistered)

        try await fixture.store.queue(mail, to: fixture.otherAccount.owner, perHour: 5)

        #expect(
            try await fixture.database.text("select state from jobs where id = $1 and kind = 'mail' and subject = $1", .uuid(mail.id.uuid))
                == "ready")
        #expect(try await fixture.database.text("select status from mails where id = $1", .uuid(mail.id.uuid)) == "waiting")
    }
}

extension Limits {
    /// Five codes an hour, of one requester and in all.
    fileprivate static var few: Limits {
        var limits = Limits()
        limits.codesPerHour = 5
        limits.addressCodesPerHour = 5
        return limits
    }
}
