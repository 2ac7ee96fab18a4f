import DiaryCore
import HTTPTypes

/// A member's password, address and proofs of identity.
struct CredentialRoutes: Sendable {
    let account: AccountFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.post, "/v1/me/password", limits: policies.credentials, handler: changePassword),
            Route(.post, "/v1/me/email/confirm", limits: policies.credentials, replays: policies.reads, handler: confirmAddress),
            Route(.post, "/v1/me/reauthenticate", limits: policies.credentials, replays: policies.reads, handler: reauthenticate),
        ]
    }

    private func changePassword(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fields()
        let current = f.text("current_password", max: SignInFields.passwordLength, min: 1)
        let password = f.requiredText("new_password", max: SignInFields.passwordLength)
        let device = f.spokenText("device", max: SignInFields.deviceLength)
        let endingTokens = f.bool("end_tokens") ?? false
        try f.finish()
        return SignInRoutes.session(
            try await account.changePassword.run(
                from: current, to: password, device: device, endingTokens: endingTokens, by: context.member, from: context.origin))
    }

    private func confirmAddress(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fields()
        let code = f.mailedCode("code")
        let request = f.registration("request")
        try f.finish()
        guard let request else { throw DiaryError(.invalidFields) }
        let replayed = try await account.changeAddress.confirm(
            code: code, request: request, key: try context.requestKey(), by: context.member, from: context.origin)
        return Reply.noContent.replayed(replayed)
    }

    /// Takes the password, or a mailed code and the secret that its request answered.
    private func reauthenticate(_ context: MemberContext) async throws -> Reply {
        var f = try await context.fields()
        let byCode = f.value("code") != nil || f.value("request") != nil
        let password = byCode ? "" : f.requiredText("password", max: SignInFields.passwordLength)
        let code = byCode ? f.mailedCode("code") : ""
        let request = byCode ? f.registration("request") : nil
        if byCode, f.value("password") != nil { f.refuse("password", "cannot be combined with a code") }
        try f.finish()
        let key = try context.requestKey()
        if let request {
            return Reply.noContent.replayed(
                try await account.reauthenticate.run(context.member, code: code, request: request, key: key))
        }
        // A password may be given again, so the key is not needed; over the limits it must not be tried.
        guard key.mayWrite else { throw DiaryError(.rateLimited) }
        try await account.reauthenticate.run(context.member, password: password, from: context.origin)
        return .noContent
    }
}
