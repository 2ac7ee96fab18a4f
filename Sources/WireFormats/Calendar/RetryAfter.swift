package import FoundationEssentials

/// `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// A day: a later time is a server's mistake.
    package static let longest = 86_400.0

    /// - Returns: seconds from `now`; nil for a field that cannot be read.
    package static func seconds(_ field: String, at now: Date) -> Double? {
        let text = field.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        // Some servers write fractions.
        let wait = Double(text) ?? HTTPDate.date(text).map { $0.timeIntervalSince(now) }
        guard let wait, wait.isFinite else { return nil }
        return min(longest, max(0, wait))
    }
}
