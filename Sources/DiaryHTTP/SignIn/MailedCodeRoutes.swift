import DiaryCore
import HTTPTypes
import WireFormats

/// Codes for users who are not signed in: to sign in without the password, or to choose a new one. The mails hold codes and no links, so a
/// mail scanner that opens links uses none up (B16).
struct MailedCodeRoutes: Sendable {
    let signIn: SignInFeature
    let apps: AppLookup
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.post, "/v1/auth/email/code", limits: policies.codes) { (context: AnonymousContext) in
                try await requested(.login, context)
            },
            Route(.post, "/v1/auth/email/reset", limits: policies.codes) { (context: AnonymousContext) in
                try await requested(.reset, context)
            },
            Route(.post, "/v1/auth/email/reset/confirm", limits: policies.login, handler: confirm),
        ]
    }

    private func requested(_ purpose: CodePurpose, _ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let email = f.mailAddress("email")
        try f.finish()
        guard let email else { throw DiaryError(.invalidFields) }
        return Self.sent(try await signIn.requestCode.run(purpose, email, from: context.origin, in: try await apps.tenant(of: context)))
    }

    private func confirm(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let email = f.mailAddress("email")
        let code = f.mailedCode("code")
        let request = f.registration("request")
        let password = f.newPassword("password", context: [email?.text].compactMap(\.self), check: signIn.passwordCheck)
        let device = f.signInDevice()
        try f.finish()
        guard let email, let request else { throw DiaryError(.invalidFields) }
        return SignInRoutes.session(
            try await signIn.resetPassword.run(
                email, code: code, request: request, password: password, device: device, from: context.origin,
                in: try await apps.tenant(of: context)))
    }

    /// The same whether the address has an account or not (B8).
    static func sent(_ request: CodeRequest) -> Reply {
        Reply.json(.accepted) {
            $0.member("request", request.text)
        }
    }
}

extension Fields {
    mutating func newPassword(
        _ name: String, context: [String], check: PasswordCheck
    ) -> String {
        let before = errors.count
        let password = requiredText(name, max: SignInFields.passwordLength)
        if errors.count == before, let fault = check(password, context) { refuse(name, fault) }
        return password
    }
}
