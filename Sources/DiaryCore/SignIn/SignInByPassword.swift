import DiaryCrypto
import FoundationEssentials

/// Proves an address with its mailed code and opens the first session.
package struct VerifyEmail: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let issuer: SessionIssuer

    package init(accounts: any AccountStore, keys: DataKeys, serviceKeys: ServiceKeys, issuer: SessionIssuer) {
        self.accounts = accounts
        self.keys = keys
        self.serviceKeys = serviceKeys
        self.issuer = issuer
    }

    package func run(
        _ email: MailAddress, code: String, registration: Registration, device: String?, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await accounts.emailIdentity(hash, tenant: tenant.id)
        // The same work for an address that nobody waits with (B8).
        let waiting = known.flatMap { $0.verified || $0.disabled ? nil : $0 }
        let reader = try await keys.recipient(waiting, asked: email, in: tenant.id, at: issuer.clock.now())
        let owner = reader.owner
        let (refresh, session) = try issuer.prepare(owner, device: device, from: origin, vault: reader.vault)
        let accepted = try await accounts.verifyEmail(
            hash, owner: owner, registrationHash: serviceKeys.registrationHash(registration, owner: owner),
            codeHash: serviceKeys.codeHash(code, registration: registration, owner: owner), maxTries: issuer.limits.codeTries,
            session: session)
        guard accepted else { throw DiaryError(.codeRefused) }
        return try issuer.issue(refresh, deviceToken: KnownDevices(key: serviceKeys.devices, clock: issuer.clock).issue(for: hash))
    }
}

/// Sign-in with address and password: one hasher run and one answer for unknown, unverified, disabled, without a password, and wrong (B8). Guesses
/// that come too fast are turned away before anything is looked up.
package struct SignInByPassword: Sendable {
    let accounts: any AccountStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let serviceKeys: ServiceKeys
    let issuer: SessionIssuer
    let guesses: GuessLimit

    package init(
        accounts: any AccountStore, keys: DataKeys, hasher: any PasswordHasher, serviceKeys: ServiceKeys, issuer: SessionIssuer,
        guesses: GuessLimit
    ) {
        self.accounts = accounts
        self.keys = keys
        self.hasher = hasher
        self.serviceKeys = serviceKeys
        self.issuer = issuer
        self.guesses = guesses
    }

    package func run(
        _ email: MailAddress, password: String, device: SignInDevice, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let refresh = try await guesses.counting(guesses.subject(hash, device)) { () async throws(DiaryError) -> RefreshToken in
            let known = try await accounts.emailIdentity(hash, tenant: tenant.id)
            let usable = known.flatMap { $0.verified && !$0.disabled ? $0.passwordPHC : nil }
            guard try await hasher.matches(password, usable), let known, let usable else { throw DiaryError(.invalidCredentials) }
            var rehashed: (emailHash: [UInt8], phc: String)?
            if hasher.needsRehash(usable), let phc = try? await hasher.hash(password) { rehashed = (hash, phc) }
            let (refresh, session) = try issuer.prepare(
                known.owner, device: device.name, from: origin, vault: try await keys.vault(of: known.owner, orRefuse: .invalidCredentials))
            guard try await accounts.openSession(session, for: known.owner, by: usable, rehashed: rehashed) else {
                throw DiaryError(.invalidCredentials)
            }
            return refresh
        }
        return try issuer.issue(refresh, deviceToken: guesses.deviceToken(hash, device))
    }
}
