import DiaryCrypto
import FoundationEssentials
import WireFormats

/// Sign-up: the same answer and the same work whether the address is new, unverified or taken (B8). Only the mail to it differs.
package struct RegisterByEmail: Sendable {
    package struct Form: Sendable {
        package var email: MailAddress
        package var password: String
        package var name: String?
        package var timeZone: String?
        package var locale: String?

        package init(email: MailAddress, password: String, name: String?, timeZone: String?, locale: String?) {
            self.email = email
            self.password = password
            self.name = name
            self.timeZone = timeZone
            self.locale = locale
        }
    }

    let accounts: any SignInStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let serviceKeys: ServiceKeys
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock

    /// - Returns: the secret that must be sent back with the code.
    package func run(_ form: Form, from origin: RequestOrigin, in tenant: Tenant) async throws(DiaryError) -> Registration {
        let registration = Registration()
        // Checked before the address is looked up: only a new account would be refused for its zone, which would show that it is new (B8).
        if let zone = form.timeZone { try await accounts.check(timeZone: zone) }
        let phc: String
        do { phc = try await hasher.hash(form.password, for: .unknown) } catch {
            throw DiaryError(.overloaded, retryAfter: 2, cause: "password hasher is busy")
        }
        let hash = serviceKeys.addressHash(form.email.normalised, tenant: tenant.id)
        let mails = AccountMails(accounts: accounts, keys: keys, serviceKeys: serviceKeys, limits: limits, clock: clock)
        if let known = try await accounts.emailIdentity(hash, tenant: tenant.id) {
            // A new address costs a write to the key database, so this one does too.
            try await keys.rehearse(in: tenant.id, at: clock.now())
            try await mails.notify(known, registration, form, passwordPHC: phc, requester: origin)
        } else {
            try await create(form, registration, origin, hash: hash, phc: phc, mails: mails, tenant: tenant)
        }
        jobSignals.jobCommitted(.mail)
        return registration
    }

    private func create(
        _ form: Form, _ registration: Registration, _ origin: RequestOrigin, hash: [UInt8], phc: String, mails: AccountMails, tenant: Tenant
    ) async throws(DiaryError) {
        let owner = Owner(tenant: tenant.id, user: UserID(UUIDv7.make(at: clock.now())))
        // The key is made before the user row: a crash between the two leaves a key that opens nothing.
        let vault = Vault(key: try await keys.make(for: owner), owner: owner)
        let (code, mail) = try mails.code(for: vault, to: form.email.text, of: registration, requester: origin)
        let account = NewAccount(
            owner: owner, keyID: vault.key.id, emailHash: hash,
            emailSealed: try vault.seal(Array(form.email.text.utf8), .email, row: owner.user.uuid),
            signUp: try vault.signUp(form, passwordPHC: phc))
        let fresh: Bool
        do { fresh = try await accounts.register(account, code: code, mail: mail) } catch {
            // The store refused, so the key belongs to no account; when the outcome is unknown the key stays, because the row may be there.
            if error.code == .invalidFields || error.code == .appUnknown { try await keys.destroy(of: owner) }
            throw error
        }
        guard !fresh else { return }
        // A concurrent sign-up took the address: this key belongs to no account.
        try await keys.destroy(of: owner)
        if let known = try await accounts.emailIdentity(hash, tenant: tenant.id) {
            try await mails.notify(known, registration, form, passwordPHC: phc, requester: origin)
        }
    }
}

/// The secret that a sign-up, or another code for it, answers, and that must be sent back with the mailed code. The mail proves the
/// address, this proves the same sign-up: a code that an attacker's sign-up sent to the owner's mailbox is refused in the owner's app, so
/// the attacker cannot set a password for the account.
package struct Registration: Sendable, Equatable {
    /// 16 random bytes, stored as a keyed hash.
    let bytes: [UInt8]

    package init() { bytes = SecureRandom.bytes(16) }

    /// - Parameter code: a keyed hash, of which 16 bytes are taken.
    init(derived code: [UInt8]) { bytes = Array(code.prefix(16)) }

    package init?(parsing text: String) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(text), bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// 22 characters of base64url.
    package var text: String { Base64URL.encode(bytes) }
}

/// Sends a new code for a pending sign-up; the answer is the same when there is none (B8).
package struct ResendCode: Sendable {
    let mails: AccountMails
    let jobSignals: any JobSignals

    package func run(
        _ email: MailAddress, registration: Registration, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) {
        let hash = mails.serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await mails.accounts.emailIdentity(hash, tenant: tenant.id)
        try await mails.repeatCode(known.flatMap { $0.verified ? nil : $0 }, to: email, registration, requester: origin, in: tenant.id)
        jobSignals.jobCommitted(.mail)
    }
}

/// Verifies an address by its mailed code and opens the first session.
package struct VerifyEmail: Sendable {
    let accounts: any SignInStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let issuer: SessionIssuer

    package func run(
        _ email: MailAddress, code: String, registration: Registration, device: String?, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await accounts.emailIdentity(hash, tenant: tenant.id)
        // The same work for an address without a pending sign-up (B8).
        let waiting = known.flatMap { $0.verified || $0.disabled ? nil : $0 }
        let recipient = try await keys.recipient(waiting, requested: email, in: tenant.id, at: issuer.clock.now())
        let owner = recipient.owner
        let (refresh, session) = try issuer.prepare(owner, device: device, from: origin, vault: recipient.vault)
        let accepted = try await accounts.verifyEmail(
            hash, owner: owner, registrationHash: serviceKeys.registrationHash(registration, owner: owner),
            codeHash: serviceKeys.codeHash(code, registration: registration, owner: owner), maxTries: issuer.limits.codeTries,
            session: session)
        guard accepted else { throw DiaryError(.codeRefused) }
        return try await issuer.issue(
            refresh, in: tenant.slug, vault: recipient.vault, isNew: true,
            deviceToken: KnownDevices(key: serviceKeys.devices, clock: issuer.clock).issue(for: hash))
    }
}
