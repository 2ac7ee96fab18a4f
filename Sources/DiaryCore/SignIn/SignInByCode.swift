/// Sign-in with a mailed code instead of the password.
package struct SignInByCode: Sendable {
    let accounts: any SignInStore
    let credentials: any CredentialStore
    let keys: DataKeys
    let issuer: SessionIssuer
    let guesses: GuessLimit
    let codes: AccountCodes

    package func run(
        _ email: MailAddress, code: String, request: CodeRequest, device: SignInDevice, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = codes.serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await accounts.usable(email, in: tenant, codes.serviceKeys)
        let recipient = try await keys.recipient(known, requested: email, in: tenant.id, at: issuer.clock.now())
        let (refresh, session) = try issuer.prepare(recipient.owner, device: device.name, from: origin, vault: recipient.vault)
        let presented = codes.presented(code, .login, request, owner: recipient.owner)
        guard try await credentials.signIn(presented, of: recipient.owner, session: session) else { throw DiaryError(.codeRefused) }
        await guesses.reset(guesses.subject(hash, device))
        return try await issuer.issue(
            refresh, in: tenant.slug, vault: recipient.vault, deviceToken: guesses.deviceToken(hash, device))
    }
}

/// Mails a code to an address that has an account, for signing in or for a new password. The answer and the work are the same for an
/// address that has none, is unverified, or is disabled (B8).
package struct RequestCode: Sendable {
    let accounts: any SignInStore
    let credentials: any CredentialStore
    let keys: DataKeys
    let jobSignals: any JobSignals
    let codes: AccountCodes

    /// - Parameter purpose: `login` or `reset`.
    /// - Returns: the secret that must be sent back with the code.
    package func run(
        _ purpose: CodePurpose, _ email: MailAddress, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> CodeRequest {
        let known = try await accounts.usable(email, in: tenant, codes.serviceKeys)
        let recipient = try await keys.recipient(known, requested: email, in: tenant.id, at: codes.clock.now())
        let request = CodeRequest()
        let (code, mail) = try codes.make(
            purpose, to: recipient.address, request, vault: recipient.vault,
            addressHash: codes.serviceKeys.addressHash(email.normalised, tenant: tenant.id))
        _ = try await credentials.mailCode(
            code, mail: mail, to: recipient.owner, requester: .client(codes.serviceKeys.requesterHash(origin.client)), limits: codes.limits)
        jobSignals.jobCommitted(.mail)
        return request
    }
}
