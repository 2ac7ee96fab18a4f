import DiaryCore
import WireFormats

/// Both tokens of a session, with OAuth's field names (RFC 6749 section 5.1), and the account they are of.
enum SessionPayload {
    static func write(_ tokens: SessionTokens, to w: inout JSONWriter) {
        w.member("access_token", tokens.accessToken)
        w.member("token_type", "Bearer")
        w.member("expires_in", tokens.expiresIn)
        w.member("refresh_token", tokens.refreshToken)
        w.member("refresh_expires_in", tokens.life.refreshSeconds)
        w.member("session_expires_in", tokens.life.sessionSeconds)
        w.member("session_id", tokens.session)
        w.member("app", tokens.app)
        w.member("is_new", tokens.isNew)
        w.memberIfPresent("device_token", tokens.deviceToken)
        w.member("user") { $0.member("id", tokens.user) }
        if let profile = tokens.profile { w.member("profile") { ProfilePayload.write(profile, of: tokens.user, to: &$0) } }
    }
}
