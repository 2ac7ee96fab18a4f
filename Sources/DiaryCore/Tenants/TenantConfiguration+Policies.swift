extension TenantConfiguration {
    /// Whether the text is cleaned after recognition.
    package var cleansTranscripts: Bool { text(.cleanup) != "off" }

    package func maxAudioBytes(within limits: Limits) -> Int64 { min(limits.maxAudioBytes, whole(.audioMaxBytes) ?? .max) }

    package func maxAudioSeconds(within limits: Limits) -> Double {
        min(limits.maxAudioSeconds, whole(.audioMaxSeconds).map(Double.init) ?? .infinity)
    }

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
    /// (decision 0024).
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
