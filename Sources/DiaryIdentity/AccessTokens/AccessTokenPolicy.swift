/// Issuer, audiences and time limits of access tokens.
package struct AccessTokenPolicy: Sendable {
    package var issuer: String
    /// All are written into `aud`; a token is accepted when it names one of them.
    package var audiences: Set<String>
    /// Seconds by which another machine's clock may differ (A15).
    package var leeway: Int64 = 60
    /// The largest number of seconds from `iat` to `exp` in tokens of this service.
    package var maximumLifetime: Int64 = 24 * 60 * 60

    package init(issuer: String, audiences: Set<String>, leeway: Int64 = 60, maximumLifetime: Int64 = 24 * 60 * 60) {
        self.issuer = issuer
        self.audiences = audiences
        self.leeway = leeway
        self.maximumLifetime = maximumLifetime
    }
}
