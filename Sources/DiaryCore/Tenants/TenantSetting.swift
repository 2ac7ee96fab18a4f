/// What an operator may set for one app. The names are stored and shown; everything not set holds as for the whole service.
package enum TenantSetting: String, Sendable, CaseIterable {
    case entriesPerMinute = "limits.entries_per_minute"
    case entriesPerDay = "limits.entries_per_day"
    case exportsPerDay = "limits.exports_per_day"
    case readsPerMinute = "limits.reads_per_minute"
    case writesPerMinute = "limits.writes_per_minute"
    case registerPerHour = "limits.register_per_hour"
    case verifyPerMinute = "limits.verify_per_minute"
    case resendPerTenMinutes = "limits.resend_per_10_minutes"
    case loginPerMinute = "limits.login_per_minute"
    case codesPerTenMinutes = "limits.codes_per_10_minutes"
    case providerPerMinute = "limits.provider_per_minute"
    case audioMaxBytes = "limits.audio_max_bytes"
    case audioMaxSeconds = "limits.audio_max_seconds"
    case cleanup = "cleanup"
    case tombstoneDays = "retention.tombstone_days"

    package enum Form: Sendable, Equatable {
        case whole(ClosedRange<Int64>)
        case choice([String])
    }

    package var form: Form {
        switch self {
        case .entriesPerMinute, .registerPerHour, .verifyPerMinute, .resendPerTenMinutes, .loginPerMinute, .codesPerTenMinutes,
            .providerPerMinute:
            .whole(1...6_000)
        case .entriesPerDay: .whole(1...1_000_000)
        case .exportsPerDay: .whole(1...1_000)
        case .readsPerMinute, .writesPerMinute: .whole(1...60_000)
        case .audioMaxBytes: .whole(1...53_687_091_200)
        case .audioMaxSeconds: .whole(1...86_400)
        case .cleanup: .choice(["on", "off"])
        case .tombstoneDays: .whole(7...3_650)
        }
    }

    package var about: String {
        switch self {
        case .entriesPerMinute: "new entries of one person a minute, and at once"
        case .entriesPerDay: "new entries of one person a day"
        case .exportsPerDay: "exports of one person a day"
        case .readsPerMinute: "reads of one person a minute, and at once"
        case .writesPerMinute: "changes by one person a minute, and at once"
        case .registerPerHour: "sign-ups from one client address an hour, and at once"
        case .verifyPerMinute: "codes of sign-ups tried from one client address a minute, and at once"
        case .resendPerTenMinutes: "codes of sign-ups asked for again from one client address in ten minutes, and at once"
        case .loginPerMinute: "sign-ins and new passwords from one client address a minute, and at once"
        case .codesPerTenMinutes: "codes to sign in or for a new password asked for from one client address in ten minutes, and at once"
        case .providerPerMinute: "sign-ins by Apple or Google from one client address a minute, and at once"
        case .audioMaxBytes: "longest recording in bytes; never above the service's own limit"
        case .audioMaxSeconds: "longest recording in seconds; never above the service's own limit"
        case .cleanup: "off: the words as recognised are what is shown"
        case .tombstoneDays: "how long a deletion stays in the feed; apps that sync less often start again"
        }
    }
}
