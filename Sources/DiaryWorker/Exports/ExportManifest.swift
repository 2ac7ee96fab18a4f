import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// `manifest.json`: the contents of an export. Written entry by entry, so that its size costs no memory.
enum ExportManifest {
    static let path = "manifest.json"
    static let formatVersion = 2

    struct File: Encodable {
        var path: String
        /// Bytes.
        var size: Int64
        /// Lower-case hexadecimal.
        var sha256: String
    }

    /// Why an export with recordings has none of an entry.
    enum MissingAudio: String, Error, Encodable {
        /// By its owner or by age; the text was kept.
        case removed
        /// It has not been uploaded, or its check has not ended.
        case notArrived = "not_arrived"
        /// It never arrived, or failed its check.
        case refused
    }

    private struct Head: Encodable {
        struct Range: Encodable {
            var from: String
            var to: String
        }

        var format_version: Int
        var created_at: String
        var range: Range
        var includes_audio: Bool
        /// From 1, of an export in several parts.
        var part: Int?
        var part_count: Int?
    }

    private struct Line: Encodable {
        var id: String
        var kind: String
        var status: String
        var recorded_at: String
        var time_zone: String
        var local_time: String
        /// The day by which the entry was selected: that of `local_time`, or the one before by the owner's `day_ends_at`.
        var local_date: String
        var created_at: String
        var updated_at: String
        var title: String?
        var tags: [String]
        var mood: String?
        var summary: String?
        var key_points: [String]?
        var language: String?
        var duration_s: Double?
        /// The stored words were altered and cannot be read any more.
        var damaged: Bool
        var files: [File]
        var audio_missing: MissingAudio?
        var audio_removed_at: String?
    }

    /// - Parameter count: how many parts the export has.
    static func head(_ export: Export, at now: Date, part: Int, of count: Int) throws -> [UInt8] {
        let head = Head(
            format_version: formatVersion, created_at: text(now), range: .init(from: export.from.description, to: export.to.description),
            includes_audio: export.contents.includeAudio, part: count > 1 ? part : nil, part_count: count > 1 ? count : nil)
        return try encode(head).dropLast() + Array(",\"entries\":[".utf8)
    }

    static func line(_ entry: Entry, files: [File], audioMissing: MissingAudio?) throws -> [UInt8] {
        let facts = entry.facts
        let line = Line(
            id: facts.id.description, kind: facts.kind.rawValue, status: facts.status.rawValue, recorded_at: text(facts.recordedAt),
            time_zone: facts.timeZone, local_time: local(facts.localTime), local_date: facts.day.description,
            created_at: text(facts.createdAt),
            updated_at: text(facts.updatedAt),
            title: entry.personal.title, tags: entry.personal.tags, mood: entry.personal.mood, summary: entry.machine.summary,
            key_points: entry.machine.keyPoints.isEmpty ? nil : entry.machine.keyPoints, language: facts.language,
            duration_s: facts.durationSeconds.flatMap { $0.isFinite ? $0 : nil }, damaged: entry.isDamaged, files: files,
            audio_missing: audioMissing, audio_removed_at: facts.audioRemovedAt.map(text))
        return Array("\n".utf8) + (try encode(line))
    }

    static func tail(count: Int) -> [UInt8] { Array("\n],\"entry_count\":\(count)}\n".utf8) }

    private static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// RFC 3339, UTC, milliseconds.
    private static func text(_ date: Date) -> String { date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    /// ISO 8601 without a zone: the recording's own wall clock.
    private static func local(_ time: LocalTime) -> String {
        let clock = time.stem.dropFirst(time.date.count + 1).map { $0 == "-" ? ":" : $0 }
        return "\(time.date)T\(String(clock))"
    }
}
