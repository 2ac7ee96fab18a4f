import DiaryCore
import Foundation
import PostgresClient
import Testing

@testable import DiaryDatabase

@Suite("Answers to a sign-in", .timeLimit(.minutes(2)))
struct SignInAnswerTests {
    @Test("an answer has the app, the account as its owner reads it, the session's life, and whether the account is new")
    func byAddress() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, first) = try await application.member(email)

        let second = try await application.byPassword.run(
            email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        let changed = try await application.changePassword.run(
            from: "right", to: "another", device: nil, by: member, from: application.origin)

        let read = try await application.features.account.profile(
            of: Member(tenant: application.tenant.id, user: changed.user, session: changed.session))
        for (tokens, isNew) in [(first, true), (second, false), (changed, false)] {
            #expect(tokens.isNew == isNew && tokens.app == "walks")
            #expect(tokens.life == SessionLife(refreshSeconds: 2_592_000, sessionSeconds: 7_776_000))
            #expect(tokens.profile?.email == email.text && tokens.profile?.name == "Ada")
            #expect(tokens.profile?.stored.version == read.stored.version)
        }
    }

    @Test("a provider's first sign-in makes an account, the next one and one that joins an account do not")
    func byProvider() async throws {
        let fixture = try await ProviderFixture.make()
        let address = try AccountApplication.address().text
        func enter(_ said: Said) async throws -> SessionTokens {
            try await fixture.signIn.run(
                fixture.form(said, nonce: try await fixture.nonce()), origin: ProviderFixture.origin, in: fixture.tenant)
        }

        let first = try await enter(.google("g", address, owns: true))
        let again = try await enter(.google("g", address, owns: true))
        let other = try await enter(.apple("a"))
        _ = try await fixture.verify(try await fixture.register("joined.\(address)"))
        let joined = try await enter(.google("h", "joined.\(address)", owns: true))

        #expect([first, again, other, joined].map(\.isNew) == [true, false, true, false])
        #expect([first, again, other, joined].map { $0.profile?.email } == [address, address, nil, "joined.\(address)"])
        #expect(first.app == "app" && first.profile?.name == "Anna")
    }

    @Test("a refresh answers the life that is left, and no account")
    func refresh() async throws {
        let application = try await AccountApplication.make()
        let (member, first) = try await application.member(try AccountApplication.address())
        func end(in seconds: Double) async throws {
            try await application.database.change(
                "update sessions set expires_at = clock_timestamp() + make_interval(secs => $2) where id = $1", .uuid(member.session.uuid),
                .double(seconds))
        }
        // Ten minutes are more than the whole test may take.
        let margin = 600

        try await end(in: 5_000_000)
        let early = try await application.rotate.run(first.refreshToken, from: application.origin)
        let repeated = try await application.rotate.run(first.refreshToken, from: application.origin)
        try await end(in: 500_000)
        let late = try await application.rotate.run(early.refreshToken, from: application.origin)

        for tokens in [early, repeated] {
            #expect((2_592_000 - margin...2_592_000).contains(tokens.life.refreshSeconds))
            #expect((5_000_000 - margin...5_000_000).contains(tokens.life.sessionSeconds))
        }
        #expect((500_000 - margin...500_000).contains(late.life.refreshSeconds))
        #expect(late.life.refreshSeconds == late.life.sessionSeconds)
        #expect(early.app == "walks" && !early.isNew && early.profile == nil)
    }
}
