package import DiaryCrypto
package import FoundationEssentials

/// Why Apple's token endpoint returned no token, or did not revoke one.
package enum AppleFailure: Error, Sendable, Hashable {
    /// The code or token is used, expired, or of another client or user (`invalid_grant`).
    case grantRefused
    /// The service's client id, key or secret is wrong (`invalid_client`, `unauthorized_client`): the operator must correct it.
    case clientRefused
    /// Another 4xx: Apple did not accept the request's form.
    case requestRefused
    /// 429, 5xx, no connection, or an answer that cannot be read: try again.
    case unavailable
}

/// Apple's token endpoints, called as one of the operator's apps.
package protocol AppleAccounts: Sendable {
    /// - Returns: the code's user (`sub`), and the refresh token.
    func exchange(code: String, clientID: String, at now: Date) async throws(AppleFailure) -> (subject: String, refreshToken: SecretBytes)
    /// Ends the user's authorization of the app. Succeeds for one that has ended already.
    func revoke(_ refreshToken: SecretBytes, clientID: String, at now: Date) async throws(AppleFailure)
}
