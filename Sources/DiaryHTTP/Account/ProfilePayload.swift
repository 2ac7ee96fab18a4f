import DiaryCore
import WireFormats

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
