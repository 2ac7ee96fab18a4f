package import DiaryCrypto
package import FoundationEssentials

/// Why Apple's token endpoint gave nothing, or did not revoke.
package enum AppleFailure: Error, Sendable, Hashable {
    /// The code or token is used, expired, or another client's or person's (`invalid_grant`).
    case grantRefused
    /// Our client id, key or secret is wrong (`invalid_client`, `unauthorized_client`): the operator's to mend.
    case clientRefused
    /// Another 4xx: the request is not what Apple expects.
    case requestRefused
    /// 429, 5xx, no connection, or an answer that cannot be read: try again.
    case unavailable
}

/// Apple's token endpoints, spoken to as one of the operator's apps.
package protocol AppleAccounts: Sendable {
    /// - Returns: whose code it was (`sub`), and the refresh token.
    func exchange(code: String, clientID: String, at now: Date) async throws(AppleFailure) -> (subject: String, refreshToken: SecretBytes)
    /// Ends the person's authorization of the app. Succeeds for one that has ended already.
    func revoke(_ refreshToken: SecretBytes, clientID: String, at now: Date) async throws(AppleFailure)
}
