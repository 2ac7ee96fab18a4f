import DiaryCore
import WireFormats

/// The fields of a member's profile.
enum ProfileFields {
    static let languageCount = 20
    /// Words or phrases, and characters of each: what a speech engine takes as a hint.
    static let vocabulary = (count: 200, length: 60)

    /// A merge patch (RFC 7396).
    static func patch(_ f: inout Fields) -> ProfilePatch {
        if f.has("time_zone"), f.value("time_zone") == nil { f.refuse("time_zone", "cannot be cleared") }
        var patch = ProfilePatch.unchanged
        patch.name = f.patchText("name", max: RegistrationFields.nameLength)
        patch.locale = f.patchWord("locale") { $0.languageTag("locale") }
        patch.timeZone = f.timeZone("time_zone")
        if f.has("day_ends_at") { patch.dayEndsMinute = f.timeOfDay("day_ends_at", hours: 12) ?? 0 }
        if f.has("languages") { patch.languages = f.languages("languages") ?? [] }
        if f.has("hosted_processing_consent") { patch.hostedProcessingConsent = f.bool("hosted_processing_consent") ?? false }
        patch.speechEngine = f.patchText("speech_engine", max: engineLength)
        patch.textEngine = f.patchText("text_engine", max: engineLength)
        patch.recordingsRetentionDays = f.patchCount("recordings_retention_days", max: retentionDays)
        patch.reminder = f.patch("reminder") { $0.reminder("reminder") }
        if f.has("vocabulary") {
            patch.vocabulary =
                f.value("vocabulary") == nil ? [] : f.texts("vocabulary", maxCount: vocabulary.count, maxEach: vocabulary.length)
        }
        return patch
    }

    private static let engineLength = 40
    private static let retentionDays: Int64 = 36_500

    /// `HH:MM`.
    static func clock(_ minute: Int) -> String { [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") }
}

extension Fields {
    /// `HH:MM` as minutes after midnight, before `hours`.
    mutating func timeOfDay(_ name: String, hours: Int = 24) -> Int? {
        guard let text = text(name, max: 5, min: 1) else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 5, parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = parts.first.flatMap({ Int($0) }), let minute = parts.last.flatMap({ Int($0) }), hour < hours, minute < 60
        else {
            refuse(name, "must be a time from 00:00 to \(hours - 1):59")
            return nil
        }
        return hour * 60 + minute
    }

    fileprivate mutating func languages(_ name: String) -> [String]? {
        guard let tags = texts(name, maxCount: ProfileFields.languageCount, maxEach: 200)?.map(DeviceLanguage.init) else { return nil }
        for (index, tag) in tags.enumerated() where tag == .invalid {
            errors.append(.init("\(pointer(name))/\(index)", "must be a language tag, e.g. en or de-CH"))
        }
        return tags.compactMap(\.text)
    }
}

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
        w.member("reminder") { ReminderPayload.write(profile.reminder, to: &$0) }
        w.member("recordings_retention_days", profile.stored.preferences.recordingsRetentionDays)
        w.member("version", profile.stored.version)
    }
}
