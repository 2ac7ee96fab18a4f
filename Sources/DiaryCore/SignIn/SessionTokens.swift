/// The answer to a sign-in (OAuth field names).
package struct SessionTokens: Sendable {
    package var accessToken: String
    package var expiresIn: Int
    package var refreshToken: String
    package var life: SessionLife
    package var session: SessionID
    package var user: UserID
    /// The slug of the app.
    package var app: String
    /// This sign-in created the account.
    package var isNew = false
    /// nil at a refresh, which reads no account, and when it could not be read.
    package var profile: Profile?
    /// At sign-in by address: the device token to send the next time.
    package var deviceToken: String?
}
