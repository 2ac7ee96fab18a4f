/// Sets a new password by the code mailed to the account's address. Every session and every other code of the account ends.
/// The hasher runs once, before anything is looked up, for every address (B8).
package struct ResetPassword: Sendable {
    let accounts: any SignInStore
    let credentials: any CredentialStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let jobSignals: any JobSignals
    let issuer: SessionIssuer
    let guesses: GuessLimit
    let codes: AccountCodes

    package func run(
        _ email: MailAddress, code: String, request: CodeRequest, password: String, device: SignInDevice, endingTokens: Bool = false,
        from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = codes.serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let subject = guesses.subject(hash, device)
        let phc = try await hasher.phc(of: password, for: subject.caller(from: origin.network))
        let known = try await accounts.usable(email, in: tenant, codes.serviceKeys)
        let recipient = try await keys.recipient(known, requested: email, in: tenant.id, at: issuer.clock.now())
        let (refresh, session) = try issuer.prepare(recipient.owner, device: device.name, from: origin, vault: recipient.vault)
        let mail = try recipient.vault.mail(.passwordChanged, MailPayload(to: recipient.address, code: nil), at: issuer.clock.now())
        let presented = codes.presented(code, .reset, request, owner: recipient.owner)
        guard
            try await credentials.reset(
                presented, of: recipient.owner, passwordPHC: phc, endingTokens: endingTokens, session: session, mail: mail)
        else {
            throw DiaryError(.codeRefused)
        }
        jobSignals.jobCommitted(.mail)
        await guesses.reset(subject)
        return try await issuer.issue(
            refresh, in: tenant.slug, vault: recipient.vault, deviceToken: guesses.deviceToken(hash, device))
    }
}
