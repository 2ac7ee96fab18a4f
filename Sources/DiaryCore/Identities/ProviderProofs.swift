/// Verifies a client's answer to a challenge, for one app.
struct ProviderProofs: Sendable {
    let tokens: any ProviderTokens
    let serviceKeys: ServiceKeys
    let grants: GrantVault
    /// False without Apple's key: codes could not be exchanged, so none is kept.
    let keepsAppleGrants: Bool
    let clock: WallClock

    /// - Throws: `provider_not_configured`; `token_refused` for every fault of the token; `dependency_unavailable`.
    func prove(_ answer: ProviderAnswer, in tenant: Tenant) async throws(DiaryError) -> ProviderProof {
        let audiences = tenant.clientIDs(of: answer.provider)
        guard !audiences.isEmpty else { throw DiaryError(.providerNotConfigured) }
        let claims = try await tokens.claims(of: answer, audiences: audiences, at: clock.now())
        return ProviderProof(
            claims: claims,
            subject: ProviderSubject(
                tenant: tenant.id, provider: claims.provider,
                hash: serviceKeys.subjectHash(claims.subject, of: claims.provider, tenant: tenant.id)),
            addressHash: claims.address.map { serviceKeys.addressHash($0.normalised, tenant: tenant.id) },
            challengeHash: serviceKeys.challengeHash(answer.nonce, tenant: tenant.id))
    }

    func grant(_ answer: ProviderAnswer, _ claims: ProviderClaims, owner: Owner, identity: IdentityID) throws(DiaryError) -> NewAppleGrant?
    {
        guard keepsAppleGrants, answer.provider == .apple, let code = answer.authorizationCode else { return nil }
        return NewAppleGrant(
            clientID: claims.audience, codeSealed: try grants.seal(Array(code.utf8), .code, owner: owner, identity: identity))
    }
}

/// A verified token, and what of it is stored.
struct ProviderProof: Sendable {
    let claims: ProviderClaims
    let subject: ProviderSubject
    let addressHash: [UInt8]?
    let challengeHash: [UInt8]
}

/// How an account's address relates to the one that a provider names.
struct AddressProof: Sendable, Equatable {
    /// The provider proves the account's address.
    let proves: Bool
    /// The account's address becomes the provider's: no other identity proves the current one, or there is none.
    let replaces: Bool

    init(_ claims: ProviderClaims, accountAddress: String?, isProvedOtherwise: Bool) {
        guard claims.ownsAddress, let address = claims.address else {
            (proves, replaces) = (false, false)
            return
        }
        let isSame = accountAddress.flatMap { MailAddress($0) }?.normalised == address.normalised
        replaces = !isSame && !isProvedOtherwise
        proves = isSame || replaces
    }
}
