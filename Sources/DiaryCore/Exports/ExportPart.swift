package import FoundationEssentials

/// A zip of a finished export: the whole of it, or one of several parts, each a valid zip with a manifest of its own.
package struct ExportPart: Sendable, Equatable {
    /// From 1, in order of time.
    package var number: Int
    /// nil once it is deleted.
    package var object: UUID?
    package var sizeBytes: Int64
    package var entryCount: Int
    package var downloads: Int
}

extension Export {
    /// The most parts of one export: more do not fit in one answer, so parts grow instead (`ExportPlan`).
    package static let mostParts = 1_000

    /// The zips of a finished export; empty until it is ready.
    package var zips: [ExportPart] {
        if !parts.isEmpty { return parts }
        guard readyAt != nil, let sizeBytes else { return [] }
        return [ExportPart(number: 1, object: object, sizeBytes: sizeBytes, entryCount: entryCount ?? 0, downloads: downloads)]
    }

    /// - Parameter number: nil for the only one.
    /// - Returns: nil when it has no such part, and for nil when it has several.
    package func zip(_ number: Int?) -> ExportPart? {
        let zips = zips
        guard let number else { return zips.count == 1 ? zips.first : nil }
        return zips.first { $0.number == number }
    }

    /// `diary_2026-01-01_2026-12-31.zip`; of several parts `diary_2026-01-01_2026-12-31_part1of3.zip`.
    package func filename(of part: Int) -> String {
        parts.isEmpty ? "diary_\(daysInFilename).zip" : "diary_\(daysInFilename)_part\(part)of\(parts.count).zip"
    }
}
