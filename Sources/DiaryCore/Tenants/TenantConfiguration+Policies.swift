extension TenantConfiguration {
    /// Whether the words are cleaned after recognition.
    package var cleansTranscripts: Bool { text(.cleanup) != "off" }

    package func maxAudioBytes(within limits: Limits) -> Int64 { min(limits.maxAudioBytes, whole(.audioMaxBytes) ?? .max) }

    package func maxAudioSeconds(within limits: Limits) -> Double {
        min(limits.maxAudioSeconds, whole(.audioMaxSeconds).map(Double.init) ?? .infinity)
    }

    /// The named limits as they hold for this app's members. A rate that is set has itself as its burst.
    /// - Parameter factor: multiplies what is set (`DIARY_RATE_FACTOR`).
    package func policies(_ policies: [RatePolicy], times factor: Int = 1) -> [RatePolicy] {
        values.isEmpty ? policies : policies.map { policy in
            shape(policy.shape, Self.memberSetting(policy.name), times: factor).map { RatePolicy(name: policy.name, shape: $0) } ?? policy
        }
    }

    /// The same for whoever calls this app before signing in. Counted by client address, and an address may call several apps: what is set here has the
    /// app's slug behind its name (`login/my-day`) and so a count of its own, which no call to another app uses up (decision 0024).
    package func policies(_ policies: [RatePolicy], beforeSignInTo slug: String, times factor: Int = 1) -> [RatePolicy] {
        values.isEmpty ? policies : policies.map { policy in
            shape(policy.shape, Self.anonymousSetting(policy.name), times: factor)
                .map { RatePolicy(name: "\(policy.name)/\(slug)", shape: $0) } ?? policy
        }
    }

    private static func memberSetting(_ policy: String) -> TenantSetting? {
        switch policy {
        case "entries": .entriesPerMinute
        case "entries-day": .entriesPerDay
        case "exports-day": .exportsPerDay
        case "reads": .readsPerMinute
        case "writes": .writesPerMinute
        default: nil
        }
    }

    /// Not `refresh`: its app is named inside the token, which is read after the limit is charged.
    private static func anonymousSetting(_ policy: String) -> TenantSetting? {
        switch policy {
        case "register": .registerPerHour
        case "verify": .verifyPerMinute
        case "resend": .resendPerTenMinutes
        case "login": .loginPerMinute
        case "codes": .codesPerTenMinutes
        case "provider": .providerPerMinute
        default: nil
        }
    }

    /// nil where nothing is set.
    private func shape(_ shape: RatePolicy.Shape, _ setting: TenantSetting?, times factor: Int) -> RatePolicy.Shape? {
        guard let setting, let own = whole(setting).flatMap({ Int(exactly: $0) }) else { return nil }
        // Settings and factor are at most a million each.
        let limit = own * factor
        return switch shape {
        case .rate(_, let window, _): .rate(limit: limit, window: window, burst: limit)
        case .quota(_, let window): .quota(limit: limit, window: window)
        case .backoff: nil
        }
    }
}
