import DiaryCore
import HTTPTypes
import WireFormats

/// Sign-up, sign-in by password or code, and the refresh of tokens.
struct SignInRoutes: Sendable {
    let signIn: SignInFeature
    let apps: AppLookup
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.post, "/v1/auth/email/register", limits: policies.login, counted: policies.register, handler: registerByEmail),
            Route(.post, "/v1/auth/email/verify", limits: policies.verify, handler: verifyEmail),
            Route(.post, "/v1/auth/email", limits: policies.login, handler: signInByAddress),
            Route(.post, "/v1/auth/refresh", limits: policies.refresh, handler: refresh),
        ]
    }

    private func registerByEmail(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let form = RegistrationFields.read(&f, passwordCheck: signIn.passwordCheck)
        try f.finish()
        guard var form else { throw DiaryError(.invalidFields) }
        form.locale = form.locale ?? AcceptedLanguages.best(context.exchange.headers)
        let tenant = try await apps.tenant(of: context)
        // Only now: a person who mistypes an address or a password is not to be locked out for an hour, but a minute.
        try await context.charge(1)
        return MailedCodeRoutes.sent(try await signIn.register.run(form, from: context.origin, in: tenant))
    }

    private func verifyEmail(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let email = f.mailAddress("email")
        let code = f.mailedCode("code")
        let registration = f.registration("request")
        let device = f.spokenText("device", max: SignInFields.deviceLength)
        try f.finish()
        guard let email, let registration else { throw DiaryError(.invalidFields) }
        return Self.session(
            try await signIn.verify.run(
                email, code: code, registration: registration, device: device, from: context.origin, in: try await apps.tenant(of: context))
        )
    }

    /// Takes the password, or a mailed code and the secret that its request answered.
    private func signInByAddress(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let email = f.mailAddress("email")
        let byCode = f.value("code") != nil || f.value("request") != nil
        let password = byCode ? "" : f.requiredText("password", max: SignInFields.passwordLength)
        let code = byCode ? f.mailedCode("code") : ""
        let request = byCode ? f.registration("request") : nil
        if byCode, f.value("password") != nil { f.refuse("password", "cannot be combined with a code") }
        let device = f.signInDevice()
        try f.finish()
        guard let email else { throw DiaryError(.invalidFields) }
        let tenant = try await apps.tenant(of: context)
        guard let request else {
            return Self.session(
                try await signIn.byPassword.run(email, password: password, device: device, from: context.origin, in: tenant))
        }
        return Self.session(
            try await signIn.byCode.run(email, code: code, request: request, device: device, from: context.origin, in: tenant))
    }

    private func refresh(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let token = f.requiredText("refresh_token", max: 512)
        try f.finish()
        return Self.session(try await signIn.rotate.run(token, from: context.origin))
    }

    static func session(_ tokens: SessionTokens) -> Reply {
        Reply.json { SessionPayload.write(tokens, to: &$0) }
    }
}

/// Both tokens of a session, with OAuth's field names (RFC 6749 section 5.1), and the account they are of.
enum SessionPayload {
    static func write(_ tokens: SessionTokens, to w: inout JSONWriter) {
        w.member("access_token", tokens.accessToken)
        w.member("token_type", "Bearer")
        w.member("expires_in", tokens.expiresIn)
        w.member("refresh_token", tokens.refreshToken)
        w.member("refresh_expires_in", tokens.life.refreshSeconds)
        w.member("session_expires_in", tokens.life.sessionSeconds)
        w.member("session_id", tokens.session)
        w.member("app", tokens.app)
        w.member("is_new", tokens.isNew)
        w.memberIfPresent("device_token", tokens.deviceToken)
        w.member("user") { $0.member("id", tokens.user) }
        if let profile = tokens.profile { w.member("profile") { ProfilePayload.write(profile, of: tokens.user, to: &$0) } }
    }
}
