import DiaryCore
import WireFormats

enum ProfilePayload {
    static func write(_ profile: Profile, of user: UserID, to w: inout JSONWriter) {
        w.member("id", user)
        w.member("email", profile.email)
        w.member("email_verified", profile.stored.emailVerified)
        w.member("email_status", profile.stored.emailStatus?.rawValue)
        w.member("name", profile.name)
        w.member("time_zone", profile.stored.timeZone)
        w.member("locale", profile.stored.locale)
        w.member("created_at", profile.stored.createdAt)
        w.member("day_ends_at", ProfileFields.clock(profile.stored.preferences.dayEndsMinute))
        w.member("languages", profile.stored.preferences.languages)
        w.member("hosted_processing_consent", profile.stored.preferences.hostedProcessingConsentAt != nil)
        w.member("hosted_processing_consent_at", profile.stored.preferences.hostedProcessingConsentAt)
        w.member("speech_engine", profile.stored.preferences.engines.speech)
        w.member("text_engine", profile.stored.preferences.engines.text)
        w.member("vocabulary", profile.vocabulary)
        w.member("recordings_retention_days", profile.stored.preferences.recordingsRetentionDays)
        w.member("version", profile.stored.version)
    }
}
