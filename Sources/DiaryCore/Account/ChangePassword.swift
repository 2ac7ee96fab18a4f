/// Changes a member's password. Requires the old one, or, when the account has none, a fresh session. Every session ends, this one too; the
/// answer opens a new one.
package struct ChangePassword: Sendable {
    let credentials: any CredentialStore
    let keys: DataKeys
    let tenants: any TenantStore
    let hasher: any PasswordHasher
    let jobSignals: any JobSignals
    let issuer: SessionIssuer
    let guesses: GuessLimit
    let fault: PasswordCheck

    package func run(
        from current: String?, to password: String, device: String?, endingTokens: Bool = false, by member: Member,
        from origin: RequestOrigin
    ) async throws(DiaryError) -> SessionTokens {
        let known = try await credentials.credentials(of: member, freshSeconds: issuer.limits.freshProofSeconds)
        let vault = try await keys.vault(of: member)
        guard let app = try await tenants.tenant(id: member.tenant) else { throw .unauthorized }
        let address = try known.address(vault)
        if let fault = fault(password, [address, try known.name(vault)].compactMap(\.self)) { throw .invalid("/new_password", fault) }
        let subject = GuessLimit.Subject.member(member.owner)
        if known.passwordPHC != nil || current != nil {
            guard let current else { throw .invalid("/current_password", "is required") }
            try await guesses.counting(subject, from: origin.network) { caller async throws(DiaryError) in
                guard try await hasher.matches(current, known.passwordPHC, for: caller) else { throw DiaryError(.passwordRefused) }
            }
        } else if !known.isFresh {
            throw DiaryError(.reauthenticationRequired)
        }
        let phc = try await hasher.phc(of: password, for: subject.caller(from: origin.network))
        let (refresh, session) = try issuer.prepare(member.owner, device: device, from: origin, vault: vault)
        let notice = try (known.addressIsProved ? address : nil).map { to throws(DiaryError) in
            try vault.mail(.passwordChanged, MailPayload(to: to, code: nil), at: issuer.clock.now())
        }
        if try await !credentials.changePassword(
            phc, replacing: known.passwordPHC, endingTokens: endingTokens, by: member, session: session, mail: notice)
        {
            guard let current else { throw DiaryError(.addressNotVerified) }
            // A sign-in may have renewed the hash of the same password meanwhile.
            let now = try await credentials.credentials(of: member, freshSeconds: issuer.limits.freshProofSeconds)
            guard let renewed = now.passwordPHC, renewed != known.passwordPHC,
                try await hasher.matches(current, renewed, for: subject.caller(from: origin.network)),
                try await credentials.changePassword(
                    phc, replacing: renewed, endingTokens: endingTokens, by: member, session: session, mail: notice)
            else { throw DiaryError(.passwordRefused) }
        }
        jobSignals.jobCommitted(.mail)
        return try await issuer.issue(refresh, in: app.slug, vault: vault)
    }
}

extension MemberCredentials {
    /// The account's address in the clear; nil when it has none.
    func address(_ vault: Vault) throws(DiaryError) -> String? { try vault.text(emailSealed, .email, row: vault.owner.user.uuid) }

    /// The account's name in the clear; nil when it has none.
    func name(_ vault: Vault) throws(DiaryError) -> String? { try vault.text(nameSealed, .name, row: vault.owner.user.uuid) }
}
