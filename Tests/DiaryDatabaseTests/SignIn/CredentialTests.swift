import DiaryCrypto
import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore
@testable import DiaryDatabase
@testable import PostgresClient

@Suite("Passwords, addresses and codes", .timeLimit(.minutes(2)))
struct CredentialTests {
    private func code(_ application: AccountApplication, _ owner: Owner) async throws -> String {
        try #require(try await application.mails(of: owner).last?.code)
    }

    private func error<Value>(_ body: () async throws(DiaryError) -> Value) async -> ErrorCode? { await refusal(body)?.code }

    @Test("B16: a mailed code signs in once, for its requester and its purpose only, also with 20 tries at once")
    func signInByCode() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let member = try await application.member(email).member
        let request = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let digits = try await code(application, member.owner)
        @Sendable func use(_ request: CodeRequest) async throws(DiaryError) -> SessionTokens {
            try await application.byCode.run(
                email, code: digits, request: request, device: SignInDevice(name: "laptop"), from: application.origin,
                in: application.tenant)
        }

        #expect(digits.utf8.count == 8)
        #expect(await error { () throws(DiaryError) in try await use(CodeRequest()) } == .codeRefused, "another requester's")
        let reset = await error { () throws(DiaryError) in
            try await application.reset.run(
                email, code: digits, request: request, password: "n", device: SignInDevice(), from: application.origin,
                in: application.tenant)
        }
        #expect(reset == .codeRefused, "another purpose")
        let opened = try await parallel(20) { _ in (try? await use(request)) != nil }
        #expect(opened.count { $0 } == 1)
        #expect(try await application.events(member.owner) == ["registered member", "signed_in member"])
        let view = try await application.features.account.listSessions.run(member)
        #expect(view.map(\.device) == ["laptop", "Ada's phone"] && view.map(\.isCurrent) == [false, true])
        #expect(view.map(\.place) == ["203.0.0.0/16", "203.0.0.0/16"])
    }

    @Test("B16: a code requested for an address that the account has left meanwhile is not mailed")
    func leftAddress() async throws {
        let application = try await AccountApplication.make()
        let owner = try await application.member(try AccountApplication.address()).member.owner
        let current = try #require(
            try await application.database.superuser.run([
                Statement("select subject_hash from identities where user_id = $1", [.uuid(owner.user.uuid)])
            ])
            .first(0)?.bytes(0))
        func mail(_ addressHash: [UInt8]?) async throws -> Bool {
            try await application.credentials.mailCode(
                AccountCode(
                    id: UUIDv7.make(), purpose: .reset, hash: SecureRandom.bytes(32), requestHash: [1], lifetimeSeconds: 60,
                    addressHash: addressHash),
                mail: QueuedMail(id: MailID(UUIDv7.make()), kind: .resetCode, payload: [1], keyID: UUID(), subject: nil), to: owner,
                requester: .client([1]), limits: Limits())
        }

        #expect(try await mail(SecureRandom.bytes(32)) == false)
        #expect(try await mail(current))
        try await application.database.change("update identities set verified_at = null where user_id = $1", .uuid(owner.user.uuid))
        #expect(try await mail(current) == false)
    }

    @Test("B16: five wrong codes end it, another requester's tries do not; five are mailed in an hour; it lives half an hour")
    func bounds() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let member = try await application.member(email).member
        func use(_ digits: String, _ request: CodeRequest) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await application.byCode.run(
                    email, code: digits, request: request, device: SignInDevice(), from: application.origin, in: application.tenant)
            }
        }
        let guessed = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let first = try await code(application, member.owner)
        for number in 0..<5 { #expect(await use("1234567\(number)", guessed) == .codeRefused) }
        #expect(await use(first, guessed) == .codeRefused)
        let late = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let lateCode = try await code(application, member.owner)
        #expect(
            try await application.database.int(
                "select round(extract(epoch from max(expires_at) - now()))::int from email_codes where user_id = $1",
                .uuid(member.user.uuid))
                <= 1_800)
        try await application.database.change("update email_codes set expires_at = now() where user_id = $1", .uuid(member.user.uuid))
        #expect(await use(lateCode, late) == .codeRefused)
        let good = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let goodCode = try await code(application, member.owner)
        for number in 0..<9 { #expect(await use("1234567\(number)", CodeRequest()) == .codeRefused) }

        #expect(await use(goodCode, good) == nil)

        for _ in 0..<9 {
            _ = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        }
        #expect(try await application.mails(email).count { $0.kind == "sign_in_code" } == 5)
        // B9: a requester in another network is not affected.
        _ = try await application.requestCode.run(
            .login, email, from: RequestOrigin(requestID: "r", client: [10, 0, 0, 1]), in: application.tenant)
        #expect(try await application.mails(email).count { $0.kind == "sign_in_code" } == 6)
        let stored = try await application.database.text(
            "select string_agg(encode(code_hash, 'hex'), '') from email_codes where user_id = $1", .uuid(member.user.uuid))
        #expect(stored?.contains(goodCode) == false)
    }

    @Test("B15, B16: a reset gives the new password, ends every session and every other code, opens one session and notifies the address")
    func reset() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, tokens) = try await application.member(email)
        _ = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let loginCode = try await code(application, member.owner)
        let loginRequest = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let request = try await application.requestCode.run(.reset, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
        let digits = try await code(application, member.owner)

        let fresh = try await application.reset.run(
            email, code: digits, request: request, password: "next", device: SignInDevice(), from: application.origin,
            in: application.tenant)

        #expect(await error { () throws(DiaryError) in try await application.sessions.sessions(of: member) } == .unauthorized)
        #expect(
            await error { () throws(DiaryError) in try await application.rotate.run(tokens.refreshToken, from: application.origin) }
                == .refreshRefused)
        let own = Member(tenant: application.tenant.id, user: fresh.user, session: fresh.session)
        #expect(try await application.sessions.sessions(of: own).map(\.id) == [fresh.session])
        func signIn(_ password: String) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await application.byPassword.run(
                    email, password: password, device: SignInDevice(), from: application.origin, in: application.tenant)
            }
        }
        #expect(await signIn("right") == .invalidCredentials)
        #expect(await signIn("next") == nil)
        let other = await error { () throws(DiaryError) in
            try await application.byCode.run(
                email, code: loginCode, request: loginRequest, device: SignInDevice(), from: application.origin, in: application.tenant)
        }
        #expect(other == .codeRefused)
        #expect(try await application.events(member.owner).contains("password_reset member"))
        #expect(try await application.mails(email).last?.kind == "password_changed")
    }

    @Test("B15: a new password requires the old one, ends every session, and opens the one in its answer")
    func changePassword() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, _) = try await application.member(email)
        let second = try await application.byPassword.run(
            email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        func change(_ current: String?, _ next: String, by member: Member) async -> ErrorCode? {
            await error { () throws(DiaryError) in
                try await application.changePassword.run(from: current, to: next, device: nil, by: member, from: application.origin)
            }
        }

        #expect(await change("wrong", "next", by: member) == .passwordRefused)
        #expect(await change(nil, "next", by: member) == .invalidFields, "the account has one")
        #expect(await change("right", email.text, by: member) == .invalidFields, "made of the own address")
        let fresh = try await application.changePassword.run(
            from: "right", to: "next", device: "laptop", by: member, from: application.origin)

        for session in [member.session, second.session] { #expect(try await !application.lives(session)) }
        #expect(try await application.lives(fresh.session))
        #expect(
            try await application.database.text("select password_phc from identities where user_id = $1", .uuid(member.user.uuid))
                == "new:next")
        #expect(try await application.events(member.owner).last == "password_changed member")
        #expect(try await application.mails(email).last?.kind == "password_changed")
        // Without a password a fresh proof suffices; an old one does not.
        try await application.database.change("update identities set password_phc = null where user_id = $1", .uuid(member.user.uuid))
        let own = Member(tenant: application.tenant.id, user: fresh.user, session: fresh.session)
        try await application.pass(601, for: fresh.session)
        #expect(await change(nil, "again", by: own) == .reauthenticationRequired)
        try await application.credentials.prove(own)
        #expect(await change(nil, "again", by: own) == nil)
    }

    @Test("B12: a new password is not made of the account's own name")
    func ownName() async throws {
        let application = try await AccountApplication.make()
        let (member, _) = try await application.member(try AccountApplication.address())

        let refused = await refusal { () throws(DiaryError) in
            try await application.changePassword.run(from: "right", to: "Ada", device: nil, by: member, from: application.origin)
        }

        #expect(refused?.code == .invalidFields && refused?.fields.first?.pointer == "/new_password")
    }

    @Test("B11, B15: a password whose hash a sign-in renewed meanwhile can be changed", arguments: ["new:right", "new:other"])
    func renewedMeanwhile(stored: String) async throws {
        let application = try await AccountApplication.make()
        let (member, _) = try await application.member(try AccountApplication.address())
        let user = Parameter.uuid(member.user.uuid)
        try await application.database.change("update identities set password_phc = 'old:right' where user_id = $1", user)
        let holder = try await application.database.holding(
            Statement("update identities set password_phc = $2 where user_id = $1", [user, .text(stored)]))
        defer { holder.close() }

        async let changing = refusal { () throws(DiaryError) in
            try await application.changePassword.run(from: "right", to: "next", device: nil, by: member, from: application.origin)
        }
        try await application.database.untilBlocked(by: holder)
        _ = try await holder.run([Statement("commit")])

        let refused = await changing
        #expect(refused == (stored == "new:right" ? nil : DiaryError(.passwordRefused)))
        #expect(
            try await application.database.text("select password_phc from identities where user_id = $1", user)
                == (stored == "new:right" ? "new:next" : stored))
    }

    @Test(
        "a new address requires a fresh session, is proved by the code sent there, notified to the old one, and taken from an unconfirmed sign-up"
    )
    func changeAddress() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let next = try AccountApplication.address()
        let (member, _) = try await application.member(email)
        let form = RegisterByEmail.Form(email: next, password: "another", name: nil, timeZone: nil, locale: nil)
        _ = try await application.register.run(form, from: application.origin, in: application.tenant)
        try await application.pass(601, for: member.session)
        #expect(
            await error { () throws(DiaryError) in try await application.changeAddress.request(next, by: member) }
                == .reauthenticationRequired)
        try await application.reauthenticate.run(member, password: "right", from: application.origin)

        let request = try await application.changeAddress.request(next, by: member).value
        let mail = try #require(try await application.mails(of: member.owner).last)
        #expect(mail.kind == "address_code" && mail.to == next.text)
        #expect(try await application.owner(email) == member.owner, "not before it is proved")
        try await application.changeAddress.confirm(code: try #require(mail.code), request: request, by: member, from: application.origin)

        #expect(try await application.owner(next) == member.owner)
        #expect(try await application.owner(email) == nil)
        #expect(try await application.mails(of: member.owner).last.map { "\($0.kind) \($0.to)" } == "address_changed \(email.text)")
        #expect(try await application.events(member.owner).last == "address_changed member")
        _ = try await application.byPassword.run(
            next, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        let profile = try await application.features.account.profile(of: member)
        #expect(profile.email == next.text && profile.stored.emailVerified)
    }

    @Test(
        "B8: an address in use gets the same answer, its owner is notified and keeps it, also when it is proved in the meantime"
    )
    func takenAddress() async throws {
        let application = try await AccountApplication.make()
        let taken = try AccountApplication.address()
        let other = try await application.member(taken).member
        let (member, _) = try await application.member(try AccountApplication.address())
        _ = try await application.changeAddress.request(taken, by: member)
        #expect(
            try await application.mails(of: member.owner).last.map { "\($0.kind) \($0.to)" } == "address_already_registered \(taken.text)")
        let late = try AccountApplication.address()
        let request = try await application.changeAddress.request(late, by: member).value
        let digits = try await code(application, member.owner)
        let third = try await application.member(late).member

        let refused = await error { () throws(DiaryError) in
            try await application.changeAddress.confirm(code: digits, request: request, by: member, from: application.origin)
        }

        #expect(refused == .codeRefused)
        #expect(try await application.owner(late) == third.owner)
        #expect(try await application.owner(taken) == other.owner)
    }

    @Test("a session becomes fresh by the password or by a code to its own address; a wrong one changes nothing and counts as a guess")
    func reauthenticate() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, _) = try await application.member(email)
        func isFresh() async throws -> Bool { try await application.credentials.credentials(of: member, freshSeconds: 600).isFresh }
        #expect(try await isFresh(), "a sign-in is a proof")
        try await application.pass(601, for: member.session)
        #expect(try await !isFresh())

        #expect(
            await error { () throws(DiaryError) in
                try await application.reauthenticate.run(member, password: "wrong", from: application.origin)
            } == .passwordRefused)
        #expect(try await !isFresh())
        try await application.reauthenticate.run(member, password: "right", from: application.origin)
        #expect(try await isFresh())

        try await application.pass(601, for: member.session)
        let request = try await application.reauthenticate.requestCode(member).value
        let digits = try await code(application, member.owner)
        let wrong = await error { () throws(DiaryError) in
            try await application.reauthenticate.run(member, code: "00000000", request: request)
        }
        #expect(wrong == .codeRefused)
        #expect(try await !isFresh())
        try await application.reauthenticate.run(member, code: digits, request: request)
        #expect(try await isFresh())
        let again = await error { () throws(DiaryError) in try await application.reauthenticate.run(member, code: digits, request: request)
        }
        #expect(again == .codeRefused)

        application.limiter.close(after: 0)
        #expect(
            await error { () throws(DiaryError) in
                try await application.reauthenticate.run(member, password: "right", from: application.origin)
            } == .rateLimited)
    }
}
