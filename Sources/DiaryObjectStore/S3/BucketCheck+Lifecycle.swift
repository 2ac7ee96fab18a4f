import DiaryCore
import S3Client

extension BucketCheck {
    /// Classes whose objects are not read until someone has asked for them to be brought back.
    private static let archives: Set = ["GLACIER", "DEEP_ARCHIVE"]
    /// Classes whose objects are read at once.
    private static let readable: Set = ["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "REDUCED_REDUNDANCY"]

    /// How long an entry waits for its recording where the app sets nothing else.
    private static var uploadWindowDays: Int { (Limits().uploadWindowSeconds + 86_399) / 86_400 }

    /// A rule that is too wide is worse than none.
    static func lifecycle(_ rules: [S3LifecycleRule], names: S3Names) -> BucketFinding {
        let rules = rules.filter { $0.isEnabled && !$0.hasTags }
        let staging = names[ObjectPrefix(.staging)]
        if let fault = loss(rules, names: names, staging: staging) { return BucketFinding(.lifecycle, .fault, fault) }
        let covering = rules.filter { staging.hasPrefix($0.prefix) }
        guard let days = covering.compactMap(\.expiresAfterDays).min() else {
            return BucketFinding(
                .lifecycle, .warning, "no rule deletes what is left below \(staging): plain recordings wait for the sweeper")
        }
        guard let abortDays = covering.compactMap(\.abortsUploadsAfterDays).min() else {
            return BucketFinding(.lifecycle, .warning, "no rule aborts uploads in parts below \(staging)")
        }
        // Also of rules for a part of staging.
        let least = rules.filter { reaches($0, staging) }.compactMap(\.expiresAfterDays).reduce(min(days, abortDays), min)
        let window = uploadWindowDays
        guard least > window else {
            return BucketFinding(
                .lifecycle, .warning,
                "staging ends after \(least) days; entries wait \(window) days for uploads (limits.upload_window_seconds)")
        }
        if let unknown = Set(rules.filter { reachesObjects($0, names) }.flatMap(\.transitions)).subtracting(readable).min() {
            return BucketFinding(
                .lifecycle, .warning, "a rule moves recordings to the storage class \(unknown): they must stay readable at once there")
        }
        return BucketFinding(.lifecycle, .ok, "staging ends after \(days) days; workers must not be away for as long")
    }

    /// Why recordings or zips would be lost or unreadable.
    private static func loss(_ rules: [S3LifecycleRule], names: S3Names, staging: String) -> String? {
        for kind in ObjectKey.Kind.allCases {
            let kept = names[ObjectPrefix(kind)]
            for rule in rules where reaches(rule, kept) {
                if let archive = rule.transitions.first(where: archives.contains) {
                    return "a rule moves what is below \(kept) to \(archive), where it cannot be read at once"
                }
                if let day = rule.expiresOn { return "a rule deletes below \(kept) on \(day)" }
                if kind != .staging, let days = rule.expiresAfterDays {
                    return "a rule deletes below \(kept) after \(days) days: limit it to \(staging)"
                }
            }
        }
        return nil
    }

    private static func reachesObjects(_ rule: S3LifecycleRule, _ names: S3Names) -> Bool {
        ObjectKey.Kind.allCases.contains { reaches(rule, names[ObjectPrefix($0)]) }
    }

    /// Whether a rule is for objects below `prefix`, or for some of them.
    private static func reaches(_ rule: S3LifecycleRule, _ prefix: String) -> Bool {
        prefix.hasPrefix(rule.prefix) || rule.prefix.hasPrefix(prefix)
    }
}

/// What a check of the bucket found.
package struct BucketFinding: Sendable, Equatable {
    package enum State: String, Sendable {
        case ok
        /// It works, and something is better otherwise.
        case warning
        /// Recordings would not be stored, not be deleted, or be open to others.
        case fault
        /// The service or the key's rights do not tell.
        case unknown
    }

    package enum Check: String, Sendable, CaseIterable {
        case bucket, clock, rights, overwriting, uploads, access, versions, lifecycle, crossOrigin = "cors"
    }

    package let check: Check
    package let state: State
    /// For people: what is wrong and what helps.
    package let detail: String

    init(_ check: Check, _ state: State, _ detail: String) {
        self.check = check
        self.state = state
        self.detail = detail
    }
}
