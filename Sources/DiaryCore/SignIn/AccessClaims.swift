package import FoundationEssentials

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
