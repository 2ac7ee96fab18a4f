import DiaryCore
import WireFormats

/// Both tokens of a session, with OAuth's field names (RFC 6749 section 5.1).
enum SessionPayload {
    static func write(_ tokens: SessionTokens, to w: inout JSONWriter) {
        w.member("access_token", tokens.accessToken)
        w.member("token_type", "Bearer")
        w.member("expires_in", tokens.expiresIn)
        w.member("refresh_token", tokens.refreshToken)
        w.member("session_id", tokens.session)
        w.memberIfPresent("device_token", tokens.deviceToken)
        w.member("user") { $0.member("id", tokens.user) }
    }
}

enum ProfilePayload {
    static func write(_ profile: Profile, of member: Member, to w: inout JSONWriter) {
        w.member("id", member.user)
        w.member("email", profile.email)
        w.member("email_verified", profile.stored.emailVerified)
        w.member("name", profile.name)
        w.member("time_zone", profile.stored.timeZone)
        w.member("locale", profile.stored.locale)
        w.member("created_at", profile.stored.createdAt)
        w.member("day_ends_at", ProfileFields.clock(profile.stored.preferences.dayEndsMinute))
        w.member("languages", profile.stored.preferences.languages)
        w.member("training_consent", profile.stored.preferences.trainingConsent)
    }
}

enum RatePolicyPayload {
    static func write(_ policy: RatePolicy, to w: inout JSONWriter) {
        w.member("name", policy.name)
        switch policy.shape {
        case .rate(let limit, let window, let burst):
            w.member("kind", "rate")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", burst)
        case .backoff(let free, let first, let longest):
            w.member("kind", "backoff")
            w.member("limit", free)
            w.member("window_s", longest)
            w.member("burst", first)
        case .quota(let limit, let window):
            w.member("kind", "quota")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", limit)
        }
    }
}
