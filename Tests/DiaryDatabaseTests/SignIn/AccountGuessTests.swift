import DiaryCore
import DiaryTesting
import Foundation
import PostgresClient
import Testing
import WireFormats

@testable import DiaryDatabase

@Suite("Guesses, and equal answers", .timeLimit(.minutes(2)))
struct AccountGuessTests {
    private enum Kind: String, CaseIterable { case existing, unknown, unverified, withoutPassword, disabled }

    /// An address of each kind.
    private func address(_ kind: Kind, _ application: AccountApplication) async throws -> MailAddress {
        let email = try AccountApplication.address()
        switch kind {
        case .unknown: break
        case .unverified:
            let form = RegisterByEmail.Form(email: email, password: "right", name: nil, timeZone: nil, locale: nil)
            _ = try await application.register.run(form, from: application.origin, in: application.tenant)
        case .existing, .withoutPassword, .disabled:
            let user = try await application.member(email).member.user
            switch kind {
            case .withoutPassword:
                try await application.database.change("update identities set password_phc = null where user_id = $1", .uuid(user.uuid))
            case .disabled: try await application.database.change("update users set disabled_at = now() where id = $1", .uuid(user.uuid))
            default: break
            }
        }
        return email
    }

    @Test("B8: a wrong password costs one run of the hasher and gets one answer, whatever the address")
    func hasherRunsOnce() async throws {
        let application = try await AccountApplication.make()
        for kind in Kind.allCases {
            let email = try await address(kind, application)
            let before = application.hasher.runs

            // The right password opens only the first of these.
            let password = kind == .existing ? "wrong" : "right"
            let error = await refusal { () throws(DiaryError) in
                try await application.byPassword.run(
                    email, password: password, device: SignInDevice(), from: application.origin, in: application.tenant)
            }

            #expect(error == DiaryError(.invalidCredentials), "\(kind)")
            #expect(application.hasher.runs == before + 1, "\(kind)")
        }
    }

    @Test("B8: a code, a code that is used, and a new password by code get one answer for every address, and only the owner gets mail")
    func codes() async throws {
        let application = try await AccountApplication.make()
        for kind in Kind.allCases {
            let email = try await address(kind, application)
            let mails = try await application.mails(email).count

            _ = try await application.requestCode.run(.login, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
            let request = try await application.requestCode.run(.reset, email, from: RequestOrigin(requestID: "r"), in: application.tenant)
            let before = application.hasher.runs
            let byCode = await refusal { () throws(DiaryError) in
                try await application.byCode.run(
                    email, code: "00000000", request: request, device: SignInDevice(name: "x"), from: application.origin,
                    in: application.tenant)
            }
            let reset = await refusal { () throws(DiaryError) in
                try await application.reset.run(
                    email, code: "00000000", request: request, password: "new", device: SignInDevice(), from: application.origin,
                    in: application.tenant
                )
            }

            #expect(byCode == DiaryError(.codeRefused) && reset == DiaryError(.codeRefused), "\(kind)")
            #expect(application.hasher.runs == before + 1, "\(kind)")
            let reached = kind == .existing || kind == .withoutPassword
            #expect(try await application.mails(email).count == mails + (reached ? 2 : 0), "\(kind)")
        }
    }

    @Test("B9: guesses of one address share a budget, whether it is known or not; a known device has its own; success refunds it")
    func budgets() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let device = try #require(try await application.member(email).tokens.deviceToken)
        let unknown = try AccountApplication.address()
        application.limiter.close(after: 5)
        func guess(_ email: MailAddress, _ password: String, _ token: String? = nil) async -> DiaryError? {
            await refusal { () throws(DiaryError) in
                try await application.byPassword.run(
                    email, password: password, device: SignInDevice(token: token), from: application.origin, in: application.tenant)
            }
        }
        let runs = application.hasher.runs
        for address in [email, unknown] {
            for number in 0..<20 {
                let error = await guess(address, "wrong", number % 2 == 0 ? nil : "made up")
                #expect(error == (number < 5 ? DiaryError(.invalidCredentials) : DiaryError(.rateLimited, retryAfter: 7, cause: "guesses")))
            }
        }

        #expect(application.hasher.runs == runs + 10, "what is refused is not looked at")
        #expect(await guess(email, "right")?.code == .rateLimited, "an unknown device with the right guess")
        #expect(await guess(unknown, "right", device)?.code == .rateLimited, "the token of another address counts as none")
        for _ in 0..<20 { #expect(await guess(email, "right", device) == nil, "the owner") }
        #expect(application.limiter.subjects.allSatisfy { $0.utf8.count == 24 && Hex.decode($0) != nil }, "no address and no id")
    }

    @Test("B11: a weaker stored hash is renewed at sign-in")
    func rehash() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let user = try await application.member(email).member.user
        try await application.database.change("update identities set password_phc = 'old:right' where user_id = $1", .uuid(user.uuid))

        _ = try await application.byPassword.run(
            email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)

        #expect(
            try await application.database.text("select password_phc from identities where user_id = $1", .uuid(user.uuid)) == "new:right")
    }

    @Test(
        "B11, B15: a password whose hash another sign-in renewed meanwhile is verified once more; one that was changed is refused",
        arguments: ["new:right", "new:other"])
    func renewedMeanwhile(stored: String) async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let user = try await application.member(email).member.user
        try await application.database.change("update identities set password_phc = 'old:right' where user_id = $1", .uuid(user.uuid))
        let holder = try await application.database.holding(
            Statement("update identities set password_phc = $2 where user_id = $1", [.uuid(user.uuid), .text(stored)]))
        defer { holder.close() }
        let runs = application.hasher.runs

        async let signingIn = refusal { () throws(DiaryError) in
            try await application.byPassword.run(
                email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        }
        try await application.database.untilBlocked(by: holder)
        _ = try await holder.run([Statement("commit")])

        let refused = await signingIn
        #expect(refused == (stored == "new:right" ? nil : DiaryError(.invalidCredentials)))
        #expect(application.hasher.runs == runs + 3, "the stored hash, its renewal, and the other one")
        #expect(
            try await application.database.text("select password_phc from identities where user_id = $1", .uuid(user.uuid)) == stored)
    }

    @Test("B15: a disabled account's session is refused on its next request, and its refresh token with it")
    func disabled() async throws {
        let application = try await AccountApplication.make()
        let (member, tokens) = try await application.member(try AccountApplication.address())
        _ = try await application.sessions.sessions(of: member)
        try await application.database.change("update users set disabled_at = now() where id = $1", .uuid(member.user.uuid))

        let asked = await refusal { () throws(DiaryError) in try await application.sessions.sessions(of: member) }
        let refreshed = await refusal { () throws(DiaryError) in
            try await application.rotate.run(tokens.refreshToken, from: application.origin)
        }

        #expect(asked?.code == .unauthorized && refreshed?.code == .refreshRefused)
    }
}
