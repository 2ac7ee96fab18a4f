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
