package import FoundationEssentials

/// The claims of an access token after every check has passed.
package struct AccessClaims: Sendable, Equatable {
    package var tenant: TenantID
    package var user: UserID
    package var session: SessionID
    package var expiresAt: Date
}
