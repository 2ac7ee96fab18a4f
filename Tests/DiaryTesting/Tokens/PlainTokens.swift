package import DiaryCore
package import FoundationEssentials

/// A token is its session's id; none verifies.
package struct PlainTokens: AccessTokens {
    package init() {}
    package func issue(_ claims: AccessClaims, at now: Date) throws -> String { claims.session.description }
    package func verify(_ token: String, at now: Date) throws(TokenRefused) -> AccessClaims { throw TokenRefused() }
    package var jwks: String { "" }
}
