import DiaryCore
import DiaryCrypto
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Passwords, addresses and codes", .timeLimit(.minutes(2)))
struct CredentialTests {
    private func code(_ house: AccountHouse, _ owner: Owner) async throws -> String {
        try #require(try await house.mails(of: owner).last?.code)
    }

    private func error<Value>(_ body: () async throws(DiaryError) -> Value) async -> ErrorCode? { await refusal(body)?.code }

    @Test("B16: a mailed code signs in once, for its asker and its purpose alone, also for 20 at once")
    func signInByCode() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let member = try await house.member(email).member
        let request = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let digits = try await code(house, member.owner)
        @Sendable func use(_ request: CodeRequest) async throws(DiaryError) -> SessionTokens {
            try await house.byCode.run(
                email, code: digits, request: request, device: SignInDevice(name: "desk"), from: house.origin, in: house.tenant)
        }

        #expect(digits.utf8.count == 8)
        #expect(await error { () throws(DiaryError) in try await use(CodeRequest()) } == .codeRefused, "another asker's")
        let reset = await error { () throws(DiaryError) in
            try await house.reset.run(
                email, code: digits, request: request, password: "n", device: SignInDevice(), from: house.origin, in: house.tenant)
        }
        #expect(reset == .codeRefused, "another purpose")
        let opened = try await parallel(20) { _ in (try? await use(request)) != nil }
        #expect(opened.count { $0 } == 1)
        #expect(try await house.events(member.owner) == ["registered member", "signed_in member"])
        let view = try await ListSessions(sessions: house.sessions, keys: house.keys).run(member)
        #expect(view.map(\.device) == ["desk", "Ada's phone"] && view.map(\.isCurrent) == [false, true])
        #expect(view.map(\.place) == ["203.0.0.0/16", "203.0.0.0/16"])
    }

    @Test("B16: a code asked for an address that the account has left meanwhile is mailed to nobody")
    func leftAddress() async throws {
        let house = try await AccountHouse.make()
        let owner = try await house.member(try AccountHouse.address()).member.owner
        let current = try #require(
            try await house.database.god.run([Statement("select subject_hash from identities where user_id = $1", [.uuid(owner.user.uuid)])])
                .first(0)?.bytes(0))
        func mail(_ addressHash: [UInt8]?) async throws -> Bool {
            try await house.credentials.mailCode(
                AccountCode(
                    id: UUIDv7.make(), purpose: .reset, hash: SecureRandom.bytes(32), requestHash: [1], lifetimeSeconds: 60,
                    addressHash: addressHash),
                mail: QueuedMail(id: MailID(UUIDv7.make()), kind: .resetCode, payload: [1], keyID: UUID(), subject: nil), to: owner,
                asker: .client([1]), limits: Limits())
        }

        #expect(try await mail(SecureRandom.bytes(32)) == false)
        #expect(try await mail(current))
        try await house.database.change("update identities set verified_at = null where user_id = $1", .uuid(owner.user.uuid))
        #expect(try await mail(current) == false)
    }

    @Test("B16: five wrong codes end it, a stranger's tries do not; five are mailed in an hour; it lives half an hour")
    func bounds() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let member = try await house.member(email).member
        func use(_ digits: String, _ request: CodeRequest) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await house.byCode.run(
                    email, code: digits, request: request, device: SignInDevice(), from: house.origin, in: house.tenant)
            }
        }
        let guessed = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let first = try await code(house, member.owner)
        for number in 0..<5 { #expect(await use("1234567\(number)", guessed) == .codeRefused) }
        #expect(await use(first, guessed) == .codeRefused)
        let late = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let lateCode = try await code(house, member.owner)
        #expect(
            try await house.database.int(
                "select round(extract(epoch from max(expires_at) - now()))::int from email_codes where user_id = $1",
                .uuid(member.user.uuid))
                <= 1_800)
        try await house.database.change("update email_codes set expires_at = now() where user_id = $1", .uuid(member.user.uuid))
        #expect(await use(lateCode, late) == .codeRefused)
        let good = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let goodCode = try await code(house, member.owner)
        for number in 0..<9 { #expect(await use("1234567\(number)", CodeRequest()) == .codeRefused) }

        #expect(await use(goodCode, good) == nil)

        for _ in 0..<9 { _ = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant) }
        #expect(try await house.mails(email).count { $0.kind == "sign_in_code" } == 5)
        // B9: who asks from elsewhere is not kept out by that.
        _ = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r", client: [10, 0, 0, 1]), in: house.tenant)
        #expect(try await house.mails(email).count { $0.kind == "sign_in_code" } == 6)
        let stored = try await house.database.text(
            "select string_agg(encode(code_hash, 'hex'), '') from email_codes where user_id = $1", .uuid(member.user.uuid))
        #expect(stored?.contains(goodCode) == false)
    }

    @Test("B15, B16: a reset gives the new password, ends every session and every other code, opens one session and tells the address")
    func reset() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let (member, tokens) = try await house.member(email)
        _ = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let loginCode = try await code(house, member.owner)
        let loginRequest = try await house.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let request = try await house.requestCode.run(.reset, email, from: RequestOrigin(requestID: "r"), in: house.tenant)
        let digits = try await code(house, member.owner)

        let fresh = try await house.reset.run(
            email, code: digits, request: request, password: "next", device: SignInDevice(), from: house.origin, in: house.tenant)

        #expect(await error { () throws(DiaryError) in try await house.sessions.sessions(of: member) } == .unauthorized)
        #expect(
            await error { () throws(DiaryError) in try await house.rotate.run(tokens.refreshToken, from: house.origin) } == .refreshRefused)
        let own = Member(tenant: house.tenant.id, user: fresh.user, session: fresh.session)
        #expect(try await house.sessions.sessions(of: own).map(\.id) == [fresh.session])
        func signIn(_ password: String) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await house.byPassword.run(email, password: password, device: SignInDevice(), from: house.origin, in: house.tenant)
            }
        }
        #expect(await signIn("right") == .invalidCredentials)
        #expect(await signIn("next") == nil)
        let other = await error { () throws(DiaryError) in
            try await house.byCode.run(
                email, code: loginCode, request: loginRequest, device: SignInDevice(), from: house.origin, in: house.tenant)
        }
        #expect(other == .codeRefused)
        #expect(try await house.events(member.owner).contains("password_reset member"))
        #expect(try await house.mails(email).last?.kind == "password_changed")
    }

    @Test("B15: a new password wants the old one, ends every session, and opens the one that its answer gives")
    func changePassword() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let (member, _) = try await house.member(email)
        let second = try await house.byPassword.run(email, password: "right", device: SignInDevice(), from: house.origin, in: house.tenant)
        func change(_ current: String?, _ next: String, by member: Member) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await house.changePassword.run(from: current, to: next, device: nil, by: member, from: house.origin)
            }
        }

        #expect(await change("wrong", "next", by: member) == .reauthenticationRequired)
        #expect(await change(nil, "next", by: member) == .invalidFields, "the account has one")
        #expect(await change("right", email.text, by: member) == .invalidFields, "made of the own address")
        let fresh = try await house.changePassword.run(from: "right", to: "next", device: "desk", by: member, from: house.origin)

        for session in [member.session, second.session] { #expect(try await !house.lives(session)) }
        #expect(try await house.lives(fresh.session))
        #expect(
            try await house.database.text("select password_phc from identities where user_id = $1", .uuid(member.user.uuid)) == "new:next")
        #expect(try await house.events(member.owner).last == "password_changed member")
        #expect(try await house.mails(email).last?.kind == "password_changed")
        // Without a password a fresh proof does instead; an old one does not.
        try await house.database.change("update identities set password_phc = null where user_id = $1", .uuid(member.user.uuid))
        let own = Member(tenant: house.tenant.id, user: fresh.user, session: fresh.session)
        try await house.pass(601, for: fresh.session)
        #expect(await change(nil, "again", by: own) == .reauthenticationRequired)
        try await house.credentials.prove(own)
        #expect(await change(nil, "again", by: own) == nil)
    }

    @Test(
        "another address wants a fresh proof, is proved by the code sent there, told to the old one, and taken from a sign-up that only waited"
    )
    func changeAddress() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let next = try AccountHouse.address()
        let (member, _) = try await house.member(email)
        let form = RegisterByEmail.Form(email: next, password: "stranger", name: nil, timeZone: nil, locale: nil)
        _ = try await RegisterByEmail(
            accounts: house.accounts, keys: house.keys, hasher: house.hasher, services: house.services, wakeUps: NoWakeUps(),
            limits: house.limits, clock: .system
        ).run(form, from: house.origin, in: house.tenant)
        try await house.pass(601, for: member.session)
        #expect(
            await error { () throws(DiaryError) in try await house.changeAddress.request(next, by: member) } == .reauthenticationRequired)
        try await house.reauthenticate.run(member, password: "right")

        let request = try await house.changeAddress.request(next, by: member)
        let mail = try #require(try await house.mails(of: member.owner).last)
        #expect(mail.kind == "address_code" && mail.to == next.text)
        #expect(try await house.owner(email) == member.owner, "not before it is proved")
        try await house.changeAddress.confirm(code: try #require(mail.code), request: request, by: member, from: house.origin)

        #expect(try await house.owner(next) == member.owner)
        #expect(try await house.owner(email) == nil)
        #expect(try await house.mails(of: member.owner).last.map { "\($0.kind) \($0.to)" } == "address_changed \(email.text)")
        #expect(try await house.events(member.owner).last == "address_changed member")
        _ = try await house.byPassword.run(next, password: "right", device: SignInDevice(), from: house.origin, in: house.tenant)
        let profile = try await ReadProfile(profiles: house.profiles, keys: house.keys).run(member)
        #expect(profile.email == next.text && profile.stored.emailVerified)
    }

    @Test(
        "B8: an address that somebody has is answered alike, heard of by its reader, and stays theirs, also when it is proved in the meantime"
    )
    func takenAddress() async throws {
        let house = try await AccountHouse.make()
        let taken = try AccountHouse.address()
        let other = try await house.member(taken).member
        let (member, _) = try await house.member(try AccountHouse.address())
        _ = try await house.changeAddress.request(taken, by: member)
        #expect(try await house.mails(of: member.owner).last.map { "\($0.kind) \($0.to)" } == "address_already_registered \(taken.text)")
        let late = try AccountHouse.address()
        let request = try await house.changeAddress.request(late, by: member)
        let digits = try await code(house, member.owner)
        let third = try await house.member(late).member

        let refused = await error { () throws(DiaryError) in
            try await house.changeAddress.confirm(code: digits, request: request, by: member, from: house.origin)
        }

        #expect(refused == .invalidFields)
        #expect(try await house.owner(late) == third.owner)
        #expect(try await house.owner(taken) == other.owner)
    }

    @Test("a session proves again who it is by password or by a code to its own address; a wrong one changes nothing and counts as a guess")
    func reauthenticate() async throws {
        let house = try await AccountHouse.make()
        let email = try AccountHouse.address()
        let (member, _) = try await house.member(email)
        func isFresh() async throws -> Bool { try await house.credentials.credentials(of: member, freshSeconds: 600).isFresh }
        #expect(try await isFresh(), "a sign-in is a proof")
        try await house.pass(601, for: member.session)
        #expect(try await !isFresh())

        #expect(
            await error { () throws(DiaryError) in try await house.reauthenticate.run(member, password: "wrong") }
                == .reauthenticationRequired)
        #expect(try await !isFresh())
        try await house.reauthenticate.run(member, password: "right")
        #expect(try await isFresh())

        try await house.pass(601, for: member.session)
        let request = try await house.reauthenticate.requestCode(member)
        let digits = try await code(house, member.owner)
        let wrong = await error { () throws(DiaryError) in try await house.reauthenticate.run(member, code: "00000000", request: request) }
        #expect(wrong == .reauthenticationRequired)
        #expect(try await !isFresh())
        try await house.reauthenticate.run(member, code: digits, request: request)
        #expect(try await isFresh())
        let again = await error { () throws(DiaryError) in try await house.reauthenticate.run(member, code: digits, request: request) }
        #expect(again == .reauthenticationRequired)

        house.limiter.close(after: 0)
        #expect(await error { () throws(DiaryError) in try await house.reauthenticate.run(member, password: "right") } == .rateLimited)
    }
}
