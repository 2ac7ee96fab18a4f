import DiaryCore
import FoundationEssentials
import PostgresClient

/// The columns of an export, in the order that `Export(row:at:)` reads them.
enum ExportColumns {
    static let list = """
        x.id, x.from_day, x.to_day, x.time_zone, x.include_audio, \(status) as status, x.code, \(mailStatus), x.size_bytes, x.entry_count, \
        x.created_at, x.ready_at, x.expires_at, x.downloads, x.max_downloads, x.revoked_at, \
        x.formats, x.layer, x.kind, x.entry_id, x.tags_sealed, x.changed_after, x.changes_upto, x.since_export, \(parts), \
        x.progress_entries, x.progress_entries_total, x.progress_bytes, x.progress_bytes_total, x.progress_seconds, \
        x.schedule_id, x.period, x.covered_from, x.covered_to, x.revoked_reason
        """

    /// The parts of a finished export: one text for each in order, and their objects.
    private static let parts = """
        array(select concat_ws(' ', p.size_bytes, p.entry_count, p.downloads) from \(rows)), \
        array(select coalesce(p.object_id, '\(gone)') from \(rows))
        """
    private static let rows = """
        export_parts p where x.status = 'ready' and p.tenant_id = x.tenant_id and p.user_id = x.user_id and p.export_id = x.id \
        order by p.number
        """
    static let gone = "00000000-0000-0000-0000-000000000000"

    static let status = """
        case when x.revoked_at is not null then 'revoked' when x.status = 'ready' and x.expires_at <= clock_timestamp() then 'expired' \
        else x.status end
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
                from: from, to: to, kind: try row.knownOrNil(first + 18), entry: try row.uuidOrNil(first + 19).map { EntryID($0) },
                changedAfter: try row.intOrNil(first + 21)),
            timeZone: try row.text(first + 3),
            contents: ExportContents(
                includeAudio: try row.bool(first + 4), formats: try Set(stored: row.texts(first + 16)), layer: try row.known(first + 17)),
            status: try row.known(first + 5), code: try row.knownOrNil(first + 6), mailStatus: try row.known(first + 7),
            sizeBytes: try row.intOrNil(first + 8),
            entryCount: try row.intOrNil(first + 9).map { Int($0) },
            createdAt: try row.date(first + 10), readyAt: try row.dateOrNil(first + 11), expiresAt: try row.dateOrNil(first + 12),
            downloads: Int(try row.int(first + 13)), maxDownloads: Int(try row.int(first + 14)), revokedAt: try row.dateOrNil(first + 15))
        sealedTags = try row.bytesOrNil(first + 20)
        changesUpto = try row.intOrNil(first + 22)
        since = try row.uuidOrNil(first + 23).map { ExportID($0) }
        parts = try Self.parts(try row.texts(first + 24), objects: try row.uuids(first + 25))
        progress = try ExportProgress(row, at: first + 26)
        schedule = try row.uuidOrNil(first + 31).map { ExportScheduleID($0) }
        period = try row.dateOrNil(first + 32)
        covered = try Self.covered(row, at: first + 33)
        revokedReason = try row.knownOrNil(first + 35)
    }

    private static func covered(_ row: Row, at first: Int) throws(DatabaseError) -> ClosedRange<CalendarDay>? {
        guard try !row.isNull(first) else { return nil }
        guard let from = CalendarDay(try row.day(first)), let to = CalendarDay(try row.day(first + 1)), from <= to else {
            throw DatabaseError(.decoding)
        }
        return from...to
    }

    private static func parts(_ texts: [String], objects: [UUID]) throws(DatabaseError) -> [ExportPart] {
        var parts: [ExportPart] = []
        for (text, object) in Swift.zip(texts, objects) {
            let numbers = text.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 3 else { throw DatabaseError(.decoding) }
            parts.append(
                ExportPart(
                    number: parts.count + 1, object: object.lowercaseText == ExportColumns.gone ? nil : object, sizeBytes: numbers[0],
                    entryCount: Int(clamping: numbers[1]), downloads: Int(clamping: numbers[2])))
        }
        return parts
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

extension ExportProgress {
    fileprivate init?(_ row: Row, at first: Int) throws(DatabaseError) {
        guard let entries = try row.intOrNil(first) else { return nil }
        self.init(
            entries: Int(clamping: entries), entriesTotal: Int(clamping: try row.int(first + 1)), bytes: try row.int(first + 2),
            bytesTotal: try row.int(first + 3), estimatedSeconds: try row.intOrNil(first + 4).map { Int(clamping: $0) })
    }
}
