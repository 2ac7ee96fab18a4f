import DiaryCrypto
import FoundationEssentials

/// What waits sealed in a queued mail.
package struct MailPayload: Sendable, Codable, Equatable {
    package var to: String
    package var code: String?

    package init(to: String, code: String?) {
        self.to = to
        self.code = code
    }
}

/// Makes codes and the sealed mails that carry them.
struct AccountMails: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    func code(
        for vault: Vault, to address: String, of registration: Registration, asker: RequestOrigin
    ) throws(DiaryError) -> (NewCode, QueuedMail) {
        let digits = OneTimeCode.make()
        let code = NewCode(
            id: UUIDv7.make(at: clock.now()), hash: serviceKeys.codeHash(digits, registration: registration, owner: vault.owner),
            registrationHash: serviceKeys.registrationHash(registration, owner: vault.owner), lifetimeSeconds: limits.codeSeconds,
            askerHash: serviceKeys.askerHash(asker.client))
        return (code, try mail(.verificationCode, vault: vault, MailPayload(to: address, code: digits)))
    }

    func mail(_ kind: MailKind, vault: Vault, _ payload: MailPayload) throws(DiaryError) -> QueuedMail {
        try vault.mail(kind, payload, at: clock.now())
    }

    /// A sign-up with a known address: one that is verified hears that it has an account, one that waits gets a code of this sign-up;
    /// one whose key was destroyed (see ``CodeRecipient``) hears nothing.
    func tell(
        _ known: EmailIdentity, _ registration: Registration, _ form: RegisterByEmail.Form, passwordPHC: String, asker: RequestOrigin
    ) async throws(DiaryError) {
        guard let reader = try await keys.recipient(known) else { return }
        if known.verified {
            try await accounts.queue(
                try mail(.addressAlreadyRegistered, vault: reader.vault, MailPayload(to: reader.address, code: nil)), to: known.owner,
                perHour: limits.codesPerHour)
        } else {
            let (code, mail) = try code(for: reader.vault, to: reader.address, of: registration, asker: asker)
            _ = try await accounts.issueCode(
                code, try reader.vault.signUp(form, passwordPHC: passwordPHC), mail: mail, to: known.owner, limits: limits)
        }
    }

    /// A code again for the same sign-up; for an address that nobody waits with, the same work and nothing of it stays.
    func repeatCode(
        _ known: EmailIdentity?, to asked: MailAddress, _ registration: Registration, asker: RequestOrigin, in tenant: TenantID
    ) async throws(DiaryError) {
        let reader = try await keys.recipient(known, asked: asked, in: tenant, at: clock.now())
        let (code, mail) = try code(for: reader.vault, to: reader.address, of: registration, asker: asker)
        _ = try await accounts.reissueCode(code, mail: mail, to: reader.owner, limits: limits)
    }
}

extension Vault {
    func signUp(_ form: RegisterByEmail.Form, passwordPHC: String) throws(DiaryError) -> SignUp {
        SignUp(
            passwordPHC: passwordPHC, nameSealed: try seal(form.name, .name, row: owner.user.uuid), timeZone: form.timeZone ?? "UTC",
            locale: form.locale)
    }
}

/// Sends a fresh code for a sign-up that waits; silent about every other (B8).
package struct ResendCode: Sendable {
    let mails: AccountMails
    let jobSignals: any JobSignals

    package init(accounts: any AccountStore, keys: DataKeys, serviceKeys: ServiceKeys, jobSignals: any JobSignals, limits: Limits, clock: WallClock)
    {
        mails = AccountMails(accounts: accounts, keys: keys, serviceKeys: serviceKeys, limits: limits, clock: clock)
        self.jobSignals = jobSignals
    }

    package func run(_ email: MailAddress, registration: Registration, from origin: RequestOrigin, in tenant: Tenant) async throws(DiaryError) {
        let hash = mails.serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await mails.accounts.emailIdentity(hash, tenant: tenant.id)
        try await mails.repeatCode(known.flatMap { $0.verified ? nil : $0 }, to: email, registration, asker: origin, in: tenant.id)
        jobSignals.jobCommitted(.mail)
    }
}
