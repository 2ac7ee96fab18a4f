import DiaryCore
import HTTPTypes
import WireFormats

/// Codes by mail, and a new password by one. The mails hold codes and no links, so a mail scanner that opens links uses none up (B16).
struct MailedCodeRoutes: Sendable {
    let signIn: SignInFeature
    let account: AccountFeature
    let apps: AppLookup
    let policies: RatePolicies

    /// What a code is asked for; the last two need a session.
    private enum Purpose: String, CaseIterable {
        case signUp = "sign_up"
        case signIn = "sign_in"
        case newPassword = "new_password"
        case newEmail = "new_email"
        case proof
    }

    var routes: [Route] {
        [
            Route(.post, "/v1/auth/codes", limits: policies.codes, ofSession: policies.credentials, handler: request),
            Route(.post, "/v1/auth/email/reset/confirm", limits: policies.login, handler: confirm),
        ]
    }

    private func request(_ context: AnonymousContext) async throws -> Reply {
        let key = try context.idempotencyKey()
        var f = try await context.fields()
        let purpose = f.required("purpose", nil) { f in f.choice("purpose", of: Purpose.self).map { Optional($0) } }
        let email = purpose == .proof ? f.foreign("email") : f.mailAddress("email")
        let registration = purpose == .signUp ? f.registration("request") : f.foreign("request")
        try f.finish()
        var replayed = false
        let sent =
            switch (purpose, email) {
            case (.signUp?, let email?):
                try await resend(email, registration, context)
            case (.signIn?, let email?):
                try await signIn.requestCode.run(.login, email, from: context.origin, in: try await apps.tenant(of: context))
            case (.newPassword?, let email?):
                try await signIn.requestCode.run(.reset, email, from: context.origin, in: try await apps.tenant(of: context))
            case (.newEmail?, let email?):
                try await asMember(context, &replayed) { member in
                    try await account.changeAddress.request(email, key: RequestKey(key), by: member)
                }
            case (.proof?, nil):
                try await asMember(context, &replayed) { member in
                    try await account.reauthenticate.requestCode(member, key: RequestKey(key))
                }
            default: throw DiaryError(.invalidFields)
            }
        // Charged as the request was, so not as `Reply.replayed` is.
        return replayed ? Self.sent(sent).with("Idempotency-Replayed", "true") : Self.sent(sent)
    }

    /// Counted as the other proofs of a member, and settled as on routes that need a session.
    private func asMember(
        _ context: AnonymousContext, _ replayed: inout Bool,
        _ ask: (Member) async throws -> (value: CodeRequest, replayed: Bool)
    ) async throws -> CodeRequest {
        let session = try MemberContext(context.exchange)
        guard let announced = context.exchange.counter else { throw DiaryError(.rateLimited) }
        let counter = CallCounter(announced.gate, session.subject, session.limits(policies.credentials))
        do {
            try await counter.charge(1)
            let sent = try await ask(session.member)
            announced.announce(counter)
            replayed = sent.replayed
            return sent.value
        } catch {
            let problem: DiaryError = Problem.error(for: error)
            await counter.refundRest { session.settle($0, after: problem) }
            announced.announce(counter)
            throw problem
        }
    }

    private func resend(_ email: MailAddress, _ registration: Registration?, _ context: AnonymousContext) async throws -> CodeRequest {
        guard let registration else { throw DiaryError(.invalidFields) }
        try await signIn.resend.run(email, registration: registration, from: context.origin, in: try await apps.tenant(of: context))
        return registration
    }

    private func confirm(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let email = f.mailAddress("email")
        let code = f.mailedCode("code")
        let request = f.registration("request")
        let password = f.newPassword("password", context: [email?.text].compactMap(\.self), check: signIn.passwordCheck)
        let device = f.signInDevice()
        let endingTokens = f.bool("end_tokens") ?? false
        try f.finish()
        guard let email, let request else { throw DiaryError(.invalidFields) }
        return SignInRoutes.session(
            try await signIn.resetPassword.run(
                email, code: code, request: request, password: password, device: device, endingTokens: endingTokens, from: context.origin,
                in: try await apps.tenant(of: context)))
    }

    /// The same whether the address is new, unverified, taken or unknown (B8).
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

    /// A member of other purposes than the body's.
    fileprivate mutating func foreign<Value>(_ name: String) -> Value? {
        if value(name) != nil { refuse(name, "does not belong to this purpose") }
        return nil
    }
}
