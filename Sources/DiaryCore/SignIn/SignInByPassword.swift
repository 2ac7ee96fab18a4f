/// Sign-in with address and password: one run of the hasher and one answer for addresses that are unknown, unverified, disabled or without
/// a password, and for wrong passwords (B8). Guesses that come too fast are refused before anything is looked up.
package struct SignInByPassword: Sendable {
    let accounts: any SignInStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let serviceKeys: ServiceKeys
    let issuer: SessionIssuer
    let guesses: GuessLimit

    package func run(
        _ email: MailAddress, password: String, device: SignInDevice, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) -> SessionTokens {
        let hash = serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let (refresh, vault) = try await guesses.counting(guesses.subject(hash, device), from: origin.network) {
            caller async throws(DiaryError) -> (RefreshToken, Vault) in
            let known = try await accounts.emailIdentity(hash, tenant: tenant.id)
            let usable = known.flatMap { $0.verified && !$0.disabled ? $0.passwordPHC : nil }
            guard try await hasher.matches(password, usable, for: caller), let known, let usable else {
                throw DiaryError(.invalidCredentials)
            }
            var rehashed: (emailHash: [UInt8], phc: String)?
            if hasher.needsRehash(usable), let phc = try? await hasher.hash(password, for: caller) { rehashed = (hash, phc) }
            let vault = try await keys.vault(of: known.owner, orRefuse: .invalidCredentials)
            let (refresh, session) = try issuer.prepare(known.owner, device: device.name, from: origin, vault: vault)
            if try await accounts.openSession(session, for: known.owner, by: usable, rehashed: rehashed) { return (refresh, vault) }
            // Another sign-in may have renewed the hash of the same password meanwhile.
            guard let current = try await accounts.usable(email, in: tenant, serviceKeys), current.owner == known.owner,
                let renewed = current.passwordPHC, renewed != usable, try await hasher.matches(password, renewed, for: caller),
                try await accounts.openSession(session, for: known.owner, by: renewed, rehashed: nil)
            else { throw DiaryError(.invalidCredentials) }
            return (refresh, vault)
        }
        return try await issuer.issue(refresh, in: tenant.slug, vault: vault, deviceToken: guesses.deviceToken(hash, device))
    }
}
