import DiaryCore
import FoundationEssentials
import PostgresClient

/// Reads everything that is stored about some entries.
enum ExportRows {
    /// Those that `StoredExportEntry(&row)` reads.
    static let columns = """
        \(EntryColumns.list), \(CopyColumns.list), e.uploaded_at, e.rerun_from, e.asked_engine, e.asked_language, \
        s.sealed, s.version, c.sealed, c.version, c.segments_version, r.waveform
        """

    static let joins = """
        \(CopyColumns.join("e"))
        left join entry_segments s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.entry_id = e.id
        left join segment_corrections c on c.tenant_id = e.tenant_id and c.user_id = e.user_id and c.entry_id = e.id
        """

    /// The entries in the order of the export, and their revisions. Both are found without recent statistics too: the entries by a range of the
    /// index that has this order, of which the ids alone would read all, the revisions of each entry by their key.
    /// - Parameter page: follow each other in the order of the export; at least one.
    static func statements(_ page: some BidirectionalCollection<ExportPosition>, of owner: Owner) -> [Statement] {
        guard let first = page.first, let last = page.last else { return [] }
        let ids = Parameter.uuids(page.map(\.id))
        return [
            Statement(
                """
                select \(columns) from entries e \(joins)
                where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($3)
                    and (e.recorded_at, e.id) >= ($4, $5) and (e.recorded_at, e.id) <= ($6, $7)
                order by e.recorded_at, e.id
                """,
                owner.parameters + [ids, .timestamp(first.recordedAt), .uuid(first.id), .timestamp(last.recordedAt), .uuid(last.id)]),
            Statement(
                """
                select r.* from unnest($3::uuid[]) as w (id)
                cross join lateral (
                    select o.layer, o.entry_id, o.number, o.created_at, o.sealed from entry_revisions o
                    where o.tenant_id = $1 and o.user_id = $2 and o.entry_id = w.id offset 0) r
                order by r.entry_id, r.layer, r.number desc
                """, owner.parameters + [ids]),
        ]
    }

    /// - Parameter rows: of `statements`.
    static func entries(_ rows: [Rows]) throws(DatabaseError) -> [StoredExportEntry] {
        var revisions: [UUID: [TextLayer: [StoredRevision]]] = [:]
        for var row in rows[1] {
            // A layer of a later version is not known here.
            guard let layer = TextLayer(rawValue: try row.text()) else { continue }
            let (entry, version, createdAt) = (try row.uuid(), try row.int(), try row.date())
            revisions[entry, default: [:]][layer, default: []].append(
                StoredRevision(sealed: SealedColumn(bytes: try row.bytes(), version: version), createdAt: createdAt))
        }
        return try rows[0].all { row throws(DatabaseError) in
            var entry = try StoredExportEntry(&row)
            entry.revisions = revisions[entry.entry.facts.id.uuid] ?? [:]
            return entry
        }
    }
}

extension StoredExportEntry {
    /// From `ExportRows.columns`.
    init(_ row: inout Row) throws(DatabaseError) {
        let recording = try StoredRecording(&row)
        let uploadedAt = try row.dateOrNil()
        self.init(
            entry: recording.entry, copy: recording.copy, run: try EntryRun(&row), uploadedAt: uploadedAt,
            segments: try row.sealedColumnOrNil(), corrections: try StoredCorrections(&row),
            waveform: try row.sealedOrNil().map { SealedColumn($0, version: 1) })
    }
}
