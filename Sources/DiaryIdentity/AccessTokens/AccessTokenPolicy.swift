/// Issuer, audiences and time limits of access tokens.
package struct AccessTokenPolicy: Sendable {
    package var issuer: String
    /// All are written into `aud`; a token is accepted when it names one of them.
    package var audiences: Set<String>
    /// Seconds by which another machine's clock may differ (A15).
    package var leeway: Int64
    /// Seconds from `iat` to `exp` beyond which a token is not one of ours.
    package var maximumLifetime: Int64

    package init(issuer: String, audiences: Set<String>, leeway: Int64 = 60, maximumLifetime: Int64 = 24 * 60 * 60) {
        self.issuer = issuer
        self.audiences = audiences
        self.leeway = leeway
        self.maximumLifetime = maximumLifetime
    }
}
