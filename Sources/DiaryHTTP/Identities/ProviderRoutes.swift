import DiaryCore
import HTTPTypes
import WireFormats

/// Sign-in by Apple and Google, linked identities, and Apple's notifications.
struct ProviderRoutes: Sendable {
    let identities: IdentityFeature
    let apps: AppLookup
    let policies: RatePolicies
    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.post, "/v1/auth/challenge", limits: policies.challenge, handler: challenge),
            Route(.post, "/v1/auth/apple", limits: policies.provider) { try await signIn($0, by: .apple) },
            Route(.post, "/v1/auth/google", limits: policies.provider) { try await signIn($0, by: .google) },
            Route(.get, "/v1/me/identities", limits: policies.reads) { (context: MemberContext) in
                let own = try await identities.list.run(context.member)
                return Reply.json { $0.page(own, IdentityPayload.write) }
            },
            Route(.post, "/v1/me/identities", limits: policies.writes, replays: policies.reads, handler: link),
            Route(.delete, "/v1/me/identities/{id}", limits: policies.writes) { (context: MemberContext) in
                try await identities.unlink(try context.id(), origin: context.origin, by: context.member)
                return .noContent
            },
            Route(.post, "/v1/apple/notifications", limits: policies.notifications, handler: handle),
        ]
    }

    private func challenge(_ context: AnonymousContext) async throws -> Reply {
        let made = try await identities.challenge.run(in: try await apps.tenant(of: context))
        return Reply.json(.created) {
            $0.member("nonce", made.nonce)
            $0.member("expires_at", made.expiresAt)
        }
        .with(.cacheControl, "no-store")
    }

    private func signIn(_ context: AnonymousContext, by provider: IdentityProvider) async throws -> Reply {
        var f = try await context.fields()
        let form = ProviderFields.signIn(&f, by: provider)
        try f.finish()
        let tokens = try await identities.signIn.run(form, origin: context.origin, in: try await apps.tenant(of: context))
        return Reply.json { SessionPayload.write(tokens, to: &$0) }
    }

    private func link(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fields()
        let provider = f.required("provider", .apple) { $0.choice("provider", of: IdentityProvider.self) }
        let code = ProviderFields.authorizationCode(&f)
        let answer = ProviderFields.answer(&f, by: provider, code: code)
        try f.finish()
        let (linked, replayed) = try await identities.link.run(
            answer, key: try context.requestKey(), origin: context.origin, by: context.member)
        let reply = Reply.json(linked.isNew ? .created : .ok) { IdentityPayload.write(linked.identity, to: &$0) }.replayed(replayed)
        return linked.isNew ? reply.with(.location, prefix.path("/v1/me/identities/\(linked.identity.linked.id)")) : reply
    }

    private func handle(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let token = f.requiredText("payload", max: ProviderFields.tokenLength)
        try f.finish(ignoringOthers: true)
        let isNew = try await identities.handleNotification.run(token, origin: context.origin)
        return Reply.json { $0.member("status", isNew ? "handled" : "known") }
    }
}

/// The fields of sign-in and linking by a provider.
enum ProviderFields {
    static let tokenLength = 8192
    static let nonceLength = 128
    static let codeLength = 1024

    /// - Parameter code: which Apple alone gives; another provider's is not used.
    static func answer(_ f: inout Fields, by provider: IdentityProvider, code: String?) -> ProviderAnswer {
        ProviderAnswer(
            provider: provider, idToken: f.requiredText("id_token", max: tokenLength), nonce: f.requiredText("nonce", max: nonceLength),
            authorizationCode: provider == .apple ? code : nil)
    }

    static func authorizationCode(_ f: inout Fields) -> String? { f.spokenText("authorization_code", max: codeLength) }

    static func signIn(_ f: inout Fields, by provider: IdentityProvider) -> SignInWithProvider.Form {
        let code = provider == .apple ? authorizationCode(&f) : nil
        return SignInWithProvider.Form(
            answer: answer(&f, by: provider, code: code), device: f.spokenText("device", max: SignInFields.deviceLength),
            name: f.spokenText("name", max: RegistrationFields.nameLength), timeZone: f.deviceZone("time_zone"),
            locale: f.deviceLanguage("locale"))
    }
}

/// A sign-in method of an account, for its owner.
enum IdentityPayload {
    static func write(_ view: IdentityView, to w: inout JSONWriter) {
        let identity = view.linked
        w.member("id", identity.id)
        w.member("provider", identity.provider?.rawValue ?? "email")
        w.member("email", view.address)
        w.member("verified", identity.isVerified)
        w.member("proves_email", identity.provesAddress)
        w.member("mail_stopped", identity.isMailStopped)
        w.member("has_password", identity.hasPassword)
        w.member("linked_at", identity.linkedAt)
    }
}
