package import FoundationEssentials

/// Whom a token speaks of, in keyed hashes.
package struct ProviderSubject: Sendable, Equatable {
    package var tenant: TenantID
    package var provider: IdentityProvider
    package var hash: [UInt8]

    package init(tenant: TenantID, provider: IdentityProvider, hash: [UInt8]) {
        self.tenant = tenant
        self.provider = provider
        self.hash = hash
    }
}

/// What every sign-in by a provider writes: the challenge is used up, the session opens, the code waits for the worker, the event is noted.
package struct ProviderSignIn: Sendable {
    package var owner: Owner
    package var subject: ProviderSubject
    package var identity: IdentityID
    package var challengeHash: [UInt8]
    package var session: NewSession
    package var grant: NewAppleGrant?
    package var origin: RequestOrigin

    package init(
        owner: Owner, subject: ProviderSubject, identity: IdentityID, challengeHash: [UInt8], session: NewSession, grant: NewAppleGrant?,
        origin: RequestOrigin
    ) {
        self.owner = owner
        self.subject = subject
        self.identity = identity
        self.challengeHash = challengeHash
        self.session = session
        self.grant = grant
        self.origin = origin
    }
}

/// A person about to exist by a provider's word.
package struct NewProviderAccount: Sendable {
    package var keyID: UUID
    package var emailSealed: [UInt8]?
    package var nameSealed: [UInt8]?
    package var timeZone: String
    package var locale: String?

    package init(keyID: UUID, emailSealed: [UInt8]?, nameSealed: [UInt8]?, timeZone: String, locale: String?) {
        self.keyID = keyID
        self.emailSealed = emailSealed
        self.nameSealed = nameSealed
        self.timeZone = timeZone
        self.locale = locale
    }
}
