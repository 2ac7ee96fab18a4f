package import FoundationEssentials

package struct TokenRefused: Error, Sendable, Equatable {
    package init() {}
}

/// Access tokens: ES256 JWTs, `typ: at+jwt`, 15 minutes (decision D7).
package protocol AccessTokens: Sendable {
    func issue(_ claims: AccessClaims, at now: Date) throws -> String
    func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims
    /// The public keys as an RFC 7517 JWK set.
    var jwks: String { get }
}

/// The claims of an access token after every check has passed.
package struct AccessClaims: Sendable, Equatable {
    package var tenant: TenantID
    package var user: UserID
    package var session: SessionID
    package var expiresAt: Date

    package init(tenant: TenantID, user: UserID, session: SessionID, expiresAt: Date) {
        self.tenant = tenant
        self.user = user
        self.session = session
        self.expiresAt = expiresAt
    }
}
