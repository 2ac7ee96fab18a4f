import DiaryCore
import FoundationEssentials
import PostgresClient

/// The columns of an export, in the order that `Export(&row)` reads them.
enum ExportColumns {
    static let list = """
        x.id, x.from_day, x.to_day, x.kind, coalesce(x.entry_ids, '{}'), x.changed_after, x.time_zone, x.include_audio, x.formats, x.layer, \
        \(status) as status, x.code, \(mailStatus), x.size_bytes, x.entry_count, x.created_at, x.ready_at, x.expires_at, x.downloads, \
        x.max_downloads, x.revoked_at, x.tags_sealed, x.changes_upto, x.since_export, \(parts), \
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
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: ExportID(try row.uuid()),
            selection: ExportSelection(
                from: try row.calendarDay(), to: try row.calendarDay(), kind: try row.knownOrNil(),
                entries: try row.uuids().map { EntryID($0) }, changedAfter: try row.intOrNil()),
            timeZone: try row.text(),
            contents: ExportContents(includeAudio: try row.bool(), formats: try Set(stored: row.texts()), layer: try row.known()),
            status: try row.known(), code: try row.knownOrNil(), mailStatus: try row.known(), sizeBytes: try row.intOrNil(),
            entryCount: try row.countOrNil(), createdAt: try row.date(), readyAt: try row.dateOrNil(), expiresAt: try row.dateOrNil(),
            downloads: try row.count(), maxDownloads: try row.count(), revokedAt: try row.dateOrNil())
        sealedTags = try row.bytesOrNil()
        changesUpto = try row.intOrNil()
        since = try row.uuidOrNil().map { ExportID($0) }
        parts = try Self.parts(try row.texts(), objects: try row.uuids())
        progress = try ExportProgress(&row)
        schedule = try row.uuidOrNil().map { ExportScheduleID($0) }
        period = try row.dateOrNil()
        covered = try Self.covered(&row)
        revokedReason = try row.knownOrNil()
    }

    private static func covered(_ row: inout Row) throws(DatabaseError) -> ClosedRange<CalendarDay>? {
        guard try !row.nextIsNull() else {
            row.skip(2)
            return nil
        }
        let (from, to) = (try row.calendarDay(), try row.calendarDay())
        guard from <= to else { throw DatabaseError(.decoding) }
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
    fileprivate init?(_ row: inout Row) throws(DatabaseError) {
        guard let entries = try row.countOrNil() else {
            row.skip(4)
            return nil
        }
        self.init(
            entries: entries, entriesTotal: try row.count(), bytes: try row.int(), bytesTotal: try row.int(),
            estimatedSeconds: try row.countOrNil())
    }
}
