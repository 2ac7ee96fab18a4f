package import FoundationEssentials

/// The user of a token, as keyed hashes.
package struct ProviderSubject: Sendable, Equatable {
    package var tenant: TenantID
    package var provider: IdentityProvider
    package var hash: [UInt8]
}

/// What every sign-in by a provider writes: it consumes the challenge, opens the session, stores the code for the worker, and writes the
/// event.
package struct ProviderSignIn: Sendable {
    package var owner: Owner
    package var subject: ProviderSubject
    package var identity: IdentityID
    package var challengeHash: [UInt8]
    package var session: NewSession
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin
}

/// A new account, to be made from an ID token.
package struct NewProviderAccount: Sendable {
    package var keyID: UUID
    package var emailSealed: [UInt8]?
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?
}
