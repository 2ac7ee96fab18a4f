package import FoundationEssentials
import WireFormats

/// The URL of a zip, which needs no token, and its end.
package struct ExportFile: Sendable {
    package let url: String
    package let expiresAt: Date
    package let filename: String
    package let sizeBytes: Int64
}

extension Export {
    /// `2026-01-01_2026-12-31`; `all_2026-12-31` for all days, as a schedule may ask for, with the day on which it was made (UTC).
    var daysInFilename: String {
        guard from == CalendarDay.all.lowerBound, to == CalendarDay.all.upperBound else { return "\(from)_\(to)" }
        return "all_\(GregorianDay(daysSince1970: createdAt.wholeSeconds.flooredDivision(by: 86_400).quotient))"
    }

    /// Why there is no zip to download or to mail.
    var notThere: DiaryError {
        switch status {
        case .queued, .building: DiaryError(.exportNotReady, retryAfter: 2)
        case .failed: DiaryError(.linkExpired, detail: "The export failed; ask for a new one.")
        case .ready, .revoked, .expired: DiaryError(.linkExpired)
        }
    }
}
