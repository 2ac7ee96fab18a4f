package import FoundationEssentials

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
