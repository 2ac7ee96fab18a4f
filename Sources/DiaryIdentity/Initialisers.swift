// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import CurlTransfer
package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

extension AccessTokenPolicy {
    package init(issuer: String, audiences: Set<String>, leeway: Int64 = 60, maximumLifetime: Int64 = 24 * 60 * 60, _: Void = ()) {
        self.issuer = issuer
        self.audiences = audiences
        self.leeway = leeway
        self.maximumLifetime = maximumLifetime
    }
}

extension AppleTokens {
    package init(refreshToken: SecretBytes, idToken: String?, _: Void = ()) {
        self.refreshToken = refreshToken
        self.idToken = idToken
    }
}

extension AppleKey {
    package init(teamID: String, keyID: String, key: P256PrivateKey, _: Void = ()) {
        self.teamID = teamID
        self.keyID = keyID
        self.key = key
    }
}

extension IDTokenClaims {
    package init(
        provider: IdentityProvider, issuer: String, subject: String, audience: String, address: MailAddress?, isAddressVerified: Bool,
        isPrivateRelay: Bool, hostedDomain: String?, realUser: RealUser?, issuedAt: Date, expiresAt: Date, codeHash: String?, _: Void = ()
    ) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.address = address
        self.isAddressVerified = isAddressVerified
        self.isPrivateRelay = isPrivateRelay
        self.hostedDomain = hostedDomain
        self.realUser = realUser
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.codeHash = codeHash
    }
}

extension IDTokenIssuer {
    package init(
        provider: IdentityProvider, issuers: [String], jwksURL: String, tokenURL: String?, revocationURL: String?, isLocal: Bool,
        _: Void = ()
    ) {
        self.provider = provider
        self.issuers = issuers
        self.jwksURL = jwksURL
        self.tokenURL = tokenURL
        self.revocationURL = revocationURL
        self.isLocal = isLocal
    }
}

extension IDTokenPolicy {
    package init(leeway: Int64 = 60, maximumAge: Int64 = 10 * 60, maximumLifetime: Int64 = 24 * 60 * 60, _: Void = ()) {
        self.leeway = leeway
        self.maximumAge = maximumAge
        self.maximumLifetime = maximumLifetime
    }
}

extension CurlKeySets {
    package init(transfers: CurlTransfers, _: Void = ()) {
        self.transfers = transfers
    }
}

extension JWKSLimits {
    package init(
        coolDown: Duration = .seconds(60), shortest: Duration = .seconds(5 * 60), longest: Duration = .seconds(24 * 60 * 60),
        usual: Duration = .seconds(60 * 60), grace: Duration = .seconds(5 * 60), longestOutage: Duration = .seconds(48 * 60 * 60),
        _: Void = ()
    ) {
        self.coolDown = coolDown
        self.shortest = shortest
        self.longest = longest
        self.usual = usual
        self.grace = grace
        self.longestOutage = longestOutage
    }
}

extension JWKSDocument {
    package init(bytes: [UInt8], cacheControl: String?, _: Void = ()) {
        self.bytes = bytes
        self.cacheControl = cacheControl
    }
}

extension Argon2Parameters {
    package init(memoryKiB: UInt32 = 19_456, passes: UInt32 = 2, lanes: UInt32 = 1, _: Void = ()) {
        self.memoryKiB = memoryKiB
        self.passes = passes
        self.lanes = lanes
    }
}
