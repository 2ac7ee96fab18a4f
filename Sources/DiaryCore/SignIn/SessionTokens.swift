/// The answer to a sign-in (OAuth field names).
package struct SessionTokens: Sendable {
    package var accessToken: String
    package var expiresIn: Int
    package var refreshToken: String
    package var session: SessionID
    package var user: UserID
    /// At sign-in by address: the device token to send the next time.
    package var deviceToken: String?
}
