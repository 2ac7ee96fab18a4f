import DiaryCore
import FoundationEssentials
import PostgresClient

enum ExportColumns {
    static let list = """
        x.id, x.from_day, x.to_day, x.time_zone, x.include_audio, \(status), x.code, \(mailStatus), x.object_id, x.size_bytes, x.entry_count, \
        x.created_at, x.ready_at, x.expires_at, x.downloads, x.max_downloads, x.revoked_at, \
        x.formats, x.layer, x.kind, x.entry_id, x.tags_sealed, x.changed_after, x.changes_upto, x.since_export
        """

    private static let status = """
        case when x.revoked_at is not null then 'revoked' when x.status = 'ready' and x.expires_at <= clock_timestamp() then 'expired' \
        else x.status end as status
        """
    private static let mailStatus = "case when x.mail_asked then x.mail_status else 'none' end as mail_status"
}

extension Export {
    init(_ row: Row, at first: Int = 0) throws(DatabaseError) {
        guard let from = CalendarDay(try row.day(first + 1)), let to = CalendarDay(try row.day(first + 2)) else {
            throw DatabaseError(.decoding)
        }
        self.init(
            id: ExportID(try row.uuid(first)),
            selection: ExportSelection(
                from: from, to: to, kind: try row.knownOrNil(first + 19), entry: try row.uuidOrNil(first + 20).map { EntryID($0) },
                changedAfter: try row.intOrNil(first + 22)),
            timeZone: try row.text(first + 3),
            contents: ExportContents(
                includeAudio: try row.bool(first + 4), formats: try Set(stored: row.texts(first + 17)), layer: try row.known(first + 18)),
            status: try row.known(first + 5), code: try row.knownOrNil(first + 6), mailStatus: try row.known(first + 7),
            object: try row.uuidOrNil(first + 8), sizeBytes: try row.intOrNil(first + 9),
            entryCount: try row.intOrNil(first + 10).map { Int($0) },
            createdAt: try row.date(first + 11), readyAt: try row.dateOrNil(first + 12), expiresAt: try row.dateOrNil(first + 13),
            downloads: Int(try row.int(first + 14)), maxDownloads: Int(try row.int(first + 15)), revokedAt: try row.dateOrNil(first + 16))
        sealedTags = try row.bytesOrNil(first + 21)
        changesUpto = try row.intOrNil(first + 23)
        since = try row.uuidOrNil(first + 24).map { ExportID($0) }
    }
}

extension Set<ExportFormat> {
    /// - Parameter names: a value of `exports.formats`.
    init(stored names: [String]) throws(DatabaseError) {
        self.init()
        for name in names {
            guard let format = ExportFormat(rawValue: name) else { throw DatabaseError(.decoding) }
            insert(format)
        }
    }
}
