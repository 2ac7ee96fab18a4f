import DiaryCore
import DiaryCrypto
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Mailed codes", .timeLimit(.minutes(2)))
struct AccountCodeTests {
    @Test("the right code verifies the address, brings its own sign-up's password, opens the session, and works once")
    func rightCode() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1, 2, 3])
        #expect(try await desk.phc(account.owner) == nil)

        let first = try await desk.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: desk.session())
        let again = try await desk.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1, 2, 3], maxTries: 5, session: desk.session())

        #expect(first && !again)
        #expect(try await desk.phc(account.owner) == "phc-of-code")
        #expect(try await desk.sessions(account.owner) == 1)
        #expect(try await desk.store.emailIdentity(account.emailHash, tenant: account.owner.tenant)?.verified == true)
    }

    @Test("of two living codes the one that comes back brings its own password, and the other one ends")
    func ownPassword() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        let stranger = desk.code([2], registration: [8])
        #expect(
            try await desk.store.issueCode(
                stranger, SignUp(passwordPHC: "phc-of-stranger"), mail: desk.neighbour.mail(), to: account.owner, limits: .few))

        #expect(
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: desk.session()))

        #expect(try await desk.phc(account.owner) == "phc-of-code")
        #expect(
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: desk.session())
                == false)
        #expect(try await desk.phc(account.owner) == "phc-of-code")
        #expect(
            try await desk.database.int(
                "select count(*) from email_codes where user_id = $1 and used_at is null", .uuid(account.owner.user.uuid)) == 0)
    }

    @Test("B13: the account has the name, zone and language of the sign-up whose code came back, also of one sent again")
    func ownProfile() async throws {
        let desk = try await SignUpDesk.make()
        func profile(_ account: NewAccount) async throws -> String? {
            try await desk.database.text(
                "select concat_ws(' ', encode(name_sealed, 'hex'), time_zone, locale) from users where id = $1", .uuid(account.owner.user.uuid))
        }
        for number in 0..<3 {
            let account = try await desk.signedUp(codeHash: [1])
            let second = SignUp(passwordPHC: "phc-of-second", nameSealed: [7], timeZone: "Europe/Berlin", locale: "fr")
            #expect(
                try await desk.store.issueCode(
                    desk.code([2], registration: [8]), second, mail: desk.neighbour.mail(), to: account.owner, limits: .few))
            #expect(
                try await desk.store.reissueCode(
                    desk.code([3], registration: [8]), mail: desk.neighbour.mail(), to: account.owner, limits: .few))
            #expect(try await profile(account) == "UTC de")

            #expect(
                try await desk.store.verifyEmail(
                    account.emailHash, owner: account.owner, registrationHash: [number == 0 ? 9 : 8], codeHash: [UInt8(number + 1)],
                    maxTries: 5, session: desk.session()))

            #expect(try await profile(account) == (number == 0 ? "UTC de" : "07 Europe/Berlin fr"))
            #expect(try await desk.phc(account.owner) == (number == 0 ? "phc-of-code" : "phc-of-second"))
        }
    }

    @Test("E8: whoever asks for all the codes that one asker may have keeps nobody else from theirs")
    func askersShare() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        @Sendable func ask(_ asker: [UInt8], registration: UInt8) async throws -> Bool {
            try await desk.store.issueCode(
                desk.code(registration: [registration], asker: asker), SignUp(passwordPHC: "phc"), mail: desk.neighbour.mail(),
                to: account.owner, limits: Limits())
        }

        let stranger = try await parallel(30) { number in try await ask([1], registration: UInt8(100 + number)) }

        // The first sign-up was the same asker's.
        #expect(stranger.count { $0 } == Limits().codesPerHour - 1)
        #expect(try await ask([2], registration: 200))
        for asker: UInt8 in 3..<9 {
            for number: UInt8 in 0..<5 { _ = try await ask([asker], registration: asker * 10 + number) }
        }
        #expect(
            try await desk.database.int("select count(*) from email_codes where user_id = $1", .uuid(account.owner.user.uuid))
                == Int64(Limits().addressCodesPerHour))
    }

    @Test("of 20 parallel uses of the right code one opens a session")
    func parallelRightCode() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])

        let outcomes = try await parallel(20) { _ in
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: desk.session())
        }

        #expect(outcomes.count { $0 } == 1)
        #expect(try await desk.sessions(account.owner) == 1)
    }

    @Test(
        "wrong codes count against every living one, one after another or 20 at once; at the limit the right one is refused too",
        arguments: [true, false])
    func wrongCodes(atOnce: Bool) async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        #expect(
            try await desk.store.issueCode(
                desk.code([2]), SignUp(passwordPHC: "phc-of-second"), mail: desk.neighbour.mail(), to: account.owner, limits: .few))
        func guess(_ code: UInt8) async throws -> Bool {
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [code], maxTries: 5, session: desk.session())
        }

        if atOnce {
            _ = try await parallel(20) { number in
                try await desk.store.verifyEmail(
                    account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [UInt8(100 + number)], maxTries: 5,
                    session: desk.session())
            }
        } else {
            for number in UInt8(100)..<105 { #expect(try await guess(number) == false) }
        }

        #expect(
            try await desk.database.text(
                "select string_agg(tries::text, ' ') from email_codes where user_id = $1", .uuid(account.owner.user.uuid))
                == (atOnce ? "20 20" : "5 5"))
        #expect(try await guess(1) == false)
        #expect(try await guess(2) == false)
        #expect(try await desk.sessions(account.owner) == 0)
    }

    @Test("one try before the limit the right code still works")
    func lastTry() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        for number in UInt8(100)..<104 {
            _ = try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [number], maxTries: 5, session: desk.session())
        }

        #expect(
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: desk.session()))
    }

    @Test("wrong codes of another sign-up with the address leave this one's code alone")
    func strangersTries() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        for number in UInt8(100)..<110 {
            let guessed = try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [8], codeHash: [number], maxTries: 5, session: desk.session())
            #expect(!guessed)
        }

        let proved = try await desk.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: desk.session())

        #expect(proved)
    }

    @Test("a code again has its sign-up's password; an unknown sign-up gets none; the cap holds for 20 at once")
    func codeAgain() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        let unknown = try await desk.store.reissueCode(
            desk.code(registration: [7]), mail: desk.neighbour.mail(), to: account.owner, limits: .few)
        let again = try await desk.store.reissueCode(desk.code([2]), mail: desk.neighbour.mail(), to: account.owner, limits: .few)

        let outcomes = try await parallel(20) { _ in
            try await desk.store.reissueCode(desk.code(), mail: desk.neighbour.mail(), to: account.owner, limits: .few)
        }

        #expect(!unknown && again)
        #expect(outcomes.count { $0 } == 3)
        let proved = try await desk.store.verifyEmail(
            account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: desk.session())
        #expect(proved)
        #expect(try await desk.phc(account.owner) == "phc-of-code")
    }

    @Test("E8: however many sign-ups share an address and ask again, it gets no more codes an hour than it may")
    func addressCap() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1])
        for sign: UInt8 in 10..<14 {
            #expect(
                try await desk.store.issueCode(
                    desk.code(registration: [sign]), SignUp(passwordPHC: "phc"), mail: desk.neighbour.mail(), to: account.owner, limits: .few))
        }

        for sign: UInt8 in 10..<14 {
            #expect(
                try await desk.store.reissueCode(
                    desk.code(registration: [sign]), mail: desk.neighbour.mail(), to: account.owner, limits: .few) == false)
        }

        #expect(
            try await desk.database.int("select count(*) from email_codes where user_id = $1", .uuid(account.owner.user.uuid)) == 5)
    }

    @Test("an expired code is refused")
    func expiredCode() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp(codeHash: [1], lifetime: 0)

        #expect(
            try await desk.store.verifyEmail(
                account.emailHash, owner: account.owner, registrationHash: [9], codeHash: [1], maxTries: 5, session: desk.session())
                == false)
    }

    @Test("a code is of no use with another person's address")
    func foreignCode() async throws {
        let desk = try await SignUpDesk.make()
        let victim = try await desk.signedUp(codeHash: [1])
        let other = try await desk.signedUp(codeHash: [2])

        #expect(
            try await desk.store.verifyEmail(
                victim.emailHash, owner: other.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: desk.session())
                == false)
        #expect(
            try await desk.store.verifyEmail(
                victim.emailHash, owner: victim.owner, registrationHash: [9], codeHash: [2], maxTries: 5, session: desk.session())
                == false)
        #expect(try await desk.store.emailIdentity(victim.emailHash, tenant: victim.owner.tenant)?.verified == false)
    }

    @Test("codes have a cap an hour, also for 20 at once; each has its mail and job; the hour passes")
    func codesPerHour() async throws {
        let desk = try await SignUpDesk.make()
        let account = try await desk.signedUp()
        func issue() async throws -> Bool {
            try await desk.store.issueCode(
                desk.code(), SignUp(passwordPHC: "phc-of-second"), mail: desk.neighbour.mail(), to: account.owner, limits: .few)
        }

        let outcomes = try await parallel(20) { _ in
            try await desk.store.issueCode(
                desk.code(), SignUp(passwordPHC: "phc-of-second"), mail: desk.neighbour.mail(), to: account.owner, limits: .few)
        }

        #expect(outcomes.count { $0 } == 4)
        for table in ["email_codes", "mails", "jobs"] {
            #expect(try await desk.database.int("select count(*) from \(table) where user_id = $1", .uuid(account.owner.user.uuid)) == 5)
        }
        #expect(try await issue() == false)
        try await desk.database.change(
            "update email_codes set created_at = created_at - interval '61 minutes' where user_id = $1", .uuid(account.owner.user.uuid))
        #expect(try await issue())
    }

    @Test("a mail without a code waits with its job")
    func queuedMail() async throws {
        let desk = try await SignUpDesk.make()
        let mail = desk.neighbour.mail(.addressAlreadyRegistered)

        try await desk.store.queue(mail, to: desk.neighbour.owner, perHour: 5)

        #expect(
            try await desk.database.text("select state from jobs where id = $1 and kind = 'mail' and subject = $1", .uuid(mail.id.uuid))
                == "ready")
        #expect(try await desk.database.text("select status from mails where id = $1", .uuid(mail.id.uuid)) == "waiting")
    }
}

extension Limits {
    /// Five codes an hour, of an asker and in all.
    fileprivate static var few: Limits {
        var limits = Limits()
        limits.codesPerHour = 5
        limits.addressCodesPerHour = 5
        return limits
    }
}
