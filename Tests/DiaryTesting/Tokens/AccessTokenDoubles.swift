package import FoundationEssentials

@testable package import DiaryCore

/// A token is its session's id; none verifies.
package struct PlainTokens: AccessTokens {
    package init() {}
    package func issue(_ claims: AccessClaims, at now: Date) throws -> String { claims.session.description }
    package func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims { throw TokenRefused() }
    package var jwks: String { "" }
}

/// `good-token` is the token of one member.
package struct TestTokens: AccessTokens {
    package static let member = Member(tenant: TenantID(UUID()), user: UserID(UUID()), session: SessionID(UUID()))

    package init() {}

    package func issue(_ claims: AccessClaims, at now: Date) throws -> String { "good-token" }
    package func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims {
        guard token == "good-token" else { throw TokenRefused() }
        return AccessClaims(tenant: Self.member.tenant, user: Self.member.user, session: Self.member.session, expiresAt: now + 900)
    }
    package var jwks: String { "{\"keys\":[]}" }
}
