import DiaryCore
import FoundationEssentials
import ZipArchive

/// Values that all parts of an export share.
struct ExportContext: Sendable {
    let export: Export
    /// Of the account; dates for readers are written in it.
    let locale: String?
    /// Of the words that the service adds, in `index.html` and in Markdown.
    let language: WrittenLanguage
    /// Its name and color are the head of `index.html`; a logo would be fetched from elsewhere.
    var brand = AppBrand()
    /// One of chosen entries does not tell of others.
    var isOfDays = false
    /// Of a zip of days.
    var tags: [ColoredTag] = []
    /// Without a slash at its end.
    let publicURL: String
    let now: Date

    /// `now` by the clock of the export's zone, because times in a zip have none and those of entries are local too. UTC where the zone is not known here.
    var zipTime: ZipTimestamp {
        let offset = ZoneDatabase.system.offset(of: export.timeZone, at: now) ?? 0
        return ZipTimestamp(utc: now.addingTimeInterval(Double(offset)))
    }

    /// Where `docs/export-manifest.schema.json` is served.
    var schema: String { "\(publicURL)/schemas/export-manifest-\(ExportManifest.formatVersion).json" }
}

/// The number of a zip among those of its export.
struct ExportPartNumber: Sendable, Equatable {
    /// From 1.
    var number = 1
    /// nil while it is not known.
    var count: Int?

    static let only = ExportPartNumber(number: 1, count: 1)
}

/// A member of the zip, as the manifest names it.
struct ExportFileFacts: Sendable {
    enum Role: String, Sendable { case audio, txt, md, srt, transcript_json, metadata_json, index }
    /// Of a recording.
    enum Source: String, Sendable { case original, copy }

    var path: String
    var role: Role
    /// Bytes.
    var size: Int64
    /// Lower-case hexadecimal.
    var sha256: String
    var source: Source?
    /// Of a text.
    var layer: TextLayer?
}
