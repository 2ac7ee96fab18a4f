/// What an operator may set for one app. The names are stored and shown; what is not set is as for the whole service.
///
/// Settings that replace a rate limit are declared with the limit, in `RatePolicies`.
package struct TenantSetting: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        case whole(ClosedRange<Int64>)
        case choice([String])
    }

    /// As stored; never changes.
    package let name: String
    package let form: Form
    package let about: String
}

extension TenantSetting {
    package static let audioMaxBytes = limit(
        "limits.audio_max_bytes", 1...53_687_091_200, "longest recording in bytes; never above the service's own limit")
    package static let audioMaxSeconds = limit(
        "limits.audio_max_seconds", 1...86_400, "longest recording in seconds; never above the service's own limit")
    package static let cleanup = TenantSetting(
        name: "cleanup", form: .choice(["on", "off"]), about: "off: the words as recognised are what is shown")
    package static let tombstoneDays = TenantSetting(
        name: "retention.tombstone_days", form: .whole(7...3_650),
        about: "how long a deletion stays in the feed; apps that sync less often start again")

    static func limit(_ name: String, _ range: ClosedRange<Int64>, _ about: String) -> TenantSetting {
        TenantSetting(name: name, form: .whole(range), about: about)
    }

    /// As `diary tenant settings` lists them: limits of members, limits before sign-in, and the rest.
    package static let all =
        [DeclaredRatePolicy.Subject.member, .address].flatMap { subject in
            RatePolicies.standard.declared.filter { $0.subject == subject }.compactMap(\.setting)
        } + [audioMaxBytes, audioMaxSeconds, cleanup, tombstoneDays]

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// nil when this version has no such setting.
    package static func named(_ name: String) -> TenantSetting? { byName[name] }
}
