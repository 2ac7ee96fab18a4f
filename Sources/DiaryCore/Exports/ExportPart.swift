package import FoundationEssentials
import WireFormats

/// A zip of a finished export, valid by itself, with a manifest of its own.
package struct ExportPart: Sendable, Equatable {
    /// From 1, in order of time.
    package var number: Int
    /// nil once it is deleted.
    package var object: UUID?
    package var sizeBytes: Int64
    package var entryCount: Int
    package var downloads: Int

    package init(number: Int, object: UUID?, sizeBytes: Int64, entryCount: Int, downloads: Int) {
        self.number = number
        self.object = object
        self.sizeBytes = sizeBytes
        self.entryCount = entryCount
        self.downloads = downloads
    }
}

extension Export {
    /// The most parts of one export: more do not fit in one answer, so parts grow instead (`ExportPlan`).
    package static let mostParts = 1_000

    package var hasSeveralParts: Bool { parts.count > 1 }

    /// - Parameter number: nil for the only one.
    /// - Returns: nil when it has no such part, and for nil when it has several.
    package func zip(_ number: Int?) -> ExportPart? {
        guard let number else { return hasSeveralParts ? nil : parts.first }
        return parts.first { $0.number == number }
    }

    /// `diary_2026-01-01_2026-12-31.zip`; of several parts `diary_2026-01-01_2026-12-31_part1of3.zip`.
    package func filename(of part: Int) -> String {
        hasSeveralParts ? "diary_\(daysInFilename)_part\(part)of\(parts.count).zip" : "diary_\(daysInFilename).zip"
    }
}

/// The URL of a zip, which needs no token, and its end.
package struct ExportFile: Sendable {
    package let url: String
    package let expiresAt: Date
    package let filename: String
    package let sizeBytes: Int64
}

extension Export {
    /// `2026-01-01_2026-12-31`, or `from_2026-01-01`, `until_2026-12-31`; `all_2026-12-31` for all days, with the day on which it was made (UTC).
    var daysInFilename: String {
        switch (firstDay, lastDay) {
        case (let first?, let last?): return "\(first)_\(last)"
        case (let first?, nil): return "from_\(first)"
        case (nil, let last?): return "until_\(last)"
        case (nil, nil): break
        }
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
