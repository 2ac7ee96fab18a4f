extension TenantConfiguration {
    /// Whether the text is cleaned after recognition.
    package var cleansTranscripts: Bool { text(.cleanup) != "off" }

    /// Whether a recording that was copied for players stays as it was uploaded, too.
    package var keepsOriginals: Bool { text(.keepOriginal) != "off" }

    /// Whether speakers are taken to change at pauses where no engine tells them apart, as `PostgresTranscriptionStore` reads it.
    package var guessesSpeakers: Bool { text(.guessSpeakers) == "on" }

    /// What is asked of text engines.
    package var textRequest: TextRequest {
        TextRequest(extras: Set(list(.cleanupExtras).compactMap(TextRequest.Extra.init(rawValue:))), prompt: text(.cleanupPrompt))
    }

    /// What text engines are asked for besides the cleaned text; nothing where no text is cleaned.
    package var textExtras: [TextRequest.Extra] {
        let asked = cleansTranscripts ? textRequest.extras : []
        return TextRequest.Extra.allCases.filter { asked.contains($0) }
    }

    /// Whether text engines are asked about texts that members typed, which they only describe.
    package var describesTexts: Bool { cleansTranscripts && !textRequest.extras.isEmpty }

    /// 0 where the app takes no recordings.
    package func maxAudioBytes(within limits: Limits) -> Int64 { min(limits.maxAudioBytes, whole(.audioMaxBytes) ?? .max) }

    package func maxAudioSeconds(within limits: Limits) -> Double {
        min(limits.maxAudioSeconds, whole(.audioMaxSeconds).map(Double.init) ?? .infinity)
    }

    package func maxImportBytes(within limits: Limits) -> Int64 { min(limits.maxImportBytes, whole(.importMaxBytes) ?? .max) }

    package func maxImportEntries(within limits: Limits) -> Int {
        min(limits.maxImportEntries, whole(.importMaxEntries).map { Int(clamping: $0) } ?? .max)
    }

    package var takesRecordings: Bool { whole(.audioMaxBytes) != 0 }

    /// At least twice the life of an upload URL, so that a URL ends before its entry does and not every fresh one begins a new window.
    package func uploadWindowSeconds(within limits: Limits) -> Int {
        max(
            whole(.uploadWindowSeconds).flatMap { Int(exactly: $0) } ?? limits.uploadWindowSeconds, 2 * uploadURLSeconds(within: limits))
    }

    /// The life of an upload URL.
    package func uploadURLSeconds(within limits: Limits) -> Int {
        whole(.uploadURLSeconds).flatMap { Int(exactly: $0) } ?? limits.uploadURLSeconds
    }

    /// How long zips stay.
    package func exportLinkSeconds(within limits: Limits) -> Int {
        whole(.exportLinkSeconds).flatMap { Int(exactly: $0) } ?? limits.exportLinkSeconds
    }

    /// How long zips stay that a schedule keeps; nil: as others.
    package var exportKeepDays: Int? { whole(.exportKeepDays).flatMap { Int(exactly: $0) } }

    /// Days that tombstones stay, as `tombstone_age` of the schema computes them.
    package var tombstoneDays: Int { whole(.tombstoneDays).flatMap { Int(exactly: $0) } ?? 90 }

    /// Days that recordings stay, as `recordings_retention` of the schema computes them; nil: they are kept.
    package var recordingsRetentionDays: Int? { whole(.recordingsRetentionDays).flatMap { Int(exactly: $0) } }

    /// Whether a member's own days count.
    package var allowsOwnRetention: Bool { text(.recordingsRetentionChoice) != "off" }

    /// nil: a deleted entry is gone at once.
    package var trashDays: Int? { whole(.trashDays).flatMap { $0 > 0 ? Int(exactly: $0) : nil } }

    /// The named limits as they apply to this app's members. A rate that is set is also its own burst.
    /// - Parameter factor: multiplies what is set (`DIARY_RATE_FACTOR`).
    package func policies(_ policies: [RatePolicy], times factor: Int = 1) -> [RatePolicy] {
        values.isEmpty
            ? policies
            : policies.map { policy in
                shape(policy, RatePolicies.memberSettings, times: factor).map { RatePolicy(name: policy.name, shape: $0) } ?? policy
            }
    }

    /// The same for calls to this app before sign-in. They are counted by client address, and an address may call several apps: a limit
    /// that is set here has the app's slug in its name (`login/my-day`) and so its own count, which calls to other apps do not use up
    /// (decision 0003).
    package func policies(_ policies: [RatePolicy], beforeSignInTo slug: String, times factor: Int = 1) -> [RatePolicy] {
        values.isEmpty
            ? policies
            : policies.map { policy in
                shape(policy, RatePolicies.addressSettings, times: factor)
                    .map { RatePolicy(name: "\(policy.name)/\(slug)", shape: $0) } ?? policy
            }
    }

    /// nil where nothing is set.
    private func shape(_ policy: RatePolicy, _ settings: [String: TenantSetting], times factor: Int) -> RatePolicy.Shape? {
        guard let setting = settings[policy.name], let own = whole(setting).flatMap({ Int(exactly: $0) }) else { return nil }
        // Settings and factor are at most a million each.
        return policy.shape.replacing(limit: own * factor)
    }
}
