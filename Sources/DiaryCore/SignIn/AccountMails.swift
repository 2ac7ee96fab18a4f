import FoundationEssentials

/// Makes codes and the sealed mails that carry them.
struct AccountMails: Sendable {
    let accounts: any SignInStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    func code(
        for vault: Vault, to address: String, of registration: Registration, requester: RequestOrigin
    ) throws(DiaryError) -> (NewCode, QueuedMail) {
        let digits = OneTimeCode.make()
        let code = NewCode(
            id: UUIDv7.make(at: clock.now()), hash: serviceKeys.codeHash(digits, registration: registration, owner: vault.owner),
            registrationHash: serviceKeys.registrationHash(registration, owner: vault.owner), lifetimeSeconds: limits.codeSeconds,
            requesterHash: serviceKeys.requesterHash(requester.client))
        return (code, try mail(.verificationCode, vault: vault, MailPayload(to: address, code: digits)))
    }

    func mail(_ kind: MailKind, vault: Vault, _ payload: MailPayload) throws(DiaryError) -> QueuedMail {
        try vault.mail(kind, payload, at: clock.now())
    }

    /// A sign-up with a known address: a verified one gets a mail that it has an account, an unverified one a code of this sign-up;
    /// one whose key was destroyed (see ``CodeRecipient``) gets nothing.
    func notify(
        _ known: EmailIdentity, _ registration: Registration, _ form: RegisterByEmail.Form, passwordPHC: String, requester: RequestOrigin
    ) async throws(DiaryError) {
        guard let recipient = try await keys.recipient(known) else { return }
        if known.verified {
            try await accounts.queue(
                try mail(.addressAlreadyRegistered, vault: recipient.vault, MailPayload(to: recipient.address, code: nil)), to: known.owner,
                perHour: limits.codesPerHour)
        } else {
            let (code, mail) = try code(for: recipient.vault, to: recipient.address, of: registration, requester: requester)
            _ = try await accounts.issueCode(
                code, try recipient.vault.signUp(form, passwordPHC: passwordPHC), mail: mail, to: known.owner, limits: limits)
        }
    }

    /// Another code for the same sign-up. For an address without a pending sign-up the work is the same, and nothing of it is stored.
    func repeatCode(
        _ known: EmailIdentity?, to requested: MailAddress, _ registration: Registration, requester: RequestOrigin, in tenant: TenantID
    ) async throws(DiaryError) {
        let recipient = try await keys.recipient(known, requested: requested, in: tenant, at: clock.now())
        let (code, mail) = try code(for: recipient.vault, to: recipient.address, of: registration, requester: requester)
        _ = try await accounts.reissueCode(code, mail: mail, to: recipient.owner, limits: limits)
    }
}

extension Vault {
    func signUp(_ form: RegisterByEmail.Form, passwordPHC: String) throws(DiaryError) -> SignUp {
        SignUp(
            passwordPHC: passwordPHC, nameSealed: try seal(form.name, .name, row: owner.user.uuid), timeZone: form.timeZone ?? "UTC",
            locale: form.locale)
    }
}
