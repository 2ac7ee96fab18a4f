import DiaryCore
import FoundationEssentials
import PostgresClient

/// The statements of an export's snapshot.
enum ExportReading {
    static let pageSize = 200
    /// An id, a time and a number each.
    static let deletedPageSize = 2_000

    /// The account's change number, which is taken under the lock of this row: all changes up to it have committed, and no smaller number
    /// appears later. And whether all tombstones after the earlier snapshot are still there.
    static func counter(_ export: Export, of owner: Owner) -> Statement {
        Statement(
            """
            select s.change_number, coalesce(s.purged_through <= $3, true) from user_sync s where s.tenant_id = $1 and s.user_id = $2
            """, owner.parameters + [.int(export.selection.changedAfter)])
    }

    static func profiles(of owner: Owner) -> Statement {
        Statement("select \(SpeakerColumns.list) from speaker_profiles p where p.tenant_id = $1 and p.user_id = $2", owner.parameters)
    }

    static func deleted(after number: Int64, of owner: Owner) -> Statement {
        Statement(
            """
            select e.id, e.deleted_at, e.change_number from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and e.deleted_at is not null
            order by e.change_number limit \(deletedPageSize)
            """, owner.parameters + [.int(number)])
    }

    /// Which entries come next, and how long their sealed parts are, which is read without reading them. One text for each of the forms, as in
    /// `ListingQuery`.
    static func page(_ export: Export, of owner: Owner, after: DatePosition) -> Statement {
        let selection = export.selection
        var values = owner.parameters + [.timestamp(after.recordedAt), .uuid(after.id.uuid)]
        var conditions = ""
        func place(_ value: Parameter) -> String {
            values.append(value)
            return "$\(values.count)"
        }
        func add(_ value: Parameter, _ condition: (String) -> String) { conditions += " and \(condition(place(value)))" }
        if !selection.entries.isEmpty {
            add(.uuids(selection.entries.map(\.uuid))) { "e.id = any (\($0))" }
        } else {
            let (from, to) = (place(.date(selection.from.description)), place(.date(selection.to.description)))
            conditions += " and \(DayRange.from(from)) and \(DayRange.to(to))"
        }
        if let kind = selection.kind { add(.text(kind.rawValue)) { "e.kind = \($0)" } }
        if let since = selection.changedAfter { add(.int(since)) { "e.change_number > \($0)" } }
        if !export.tagHashes.isEmpty { add(.ints(export.tagHashes)) { "e.label_hashes @> \($0)" } }
        return Statement(
            """
            select e.id, e.recorded_at, \(ExportPosition.bytes("e")) from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and (e.recorded_at, e.id) > ($3, $4)\(conditions)
            order by e.recorded_at, e.id limit \(pageSize)
            """, values)
    }
}

/// An entry that an export is about to read.
struct ExportPosition: Sendable, Equatable {
    let id: UUID
    let recordedAt: Date
    /// Bytes of its sealed parts.
    let bytes: Int64

    /// Of a page, unless one entry has more: at most about 20 revisions of each layer beside its own parts. Three pages are in
    /// memory at once: one is read, one is packed, and one gets its place in a zip.
    static let mostBytes: Int64 = 4 << 20

    /// - Parameter entry: an alias of `entries`.
    static func bytes(_ entry: String) -> String {
        func length(_ column: String, _ table: String) -> String {
            """
            coalesce((select sum(octet_length(p.\(column))) from \(table) p
                where p.tenant_id = \(entry).tenant_id and p.user_id = \(entry).user_id and p.entry_id = \(entry).id), 0)
            """
        }
        return """
            (coalesce(octet_length(\(entry).personal), 0) + coalesce(octet_length(\(entry).machine), 0)
                + \(length("sealed", "entry_segments")) + \(length("sealed", "segment_corrections"))
                + \(length("sealed", "entry_revisions")) + \(length("waveform", "entry_renditions")))::bigint
            """
    }

    /// In their order, each page at least one entry.
    static func pages(_ positions: [ExportPosition]) -> [ArraySlice<ExportPosition>] {
        var pages: [ArraySlice<ExportPosition>] = []
        var (start, bytes): (Int, Int64) = (0, 0)
        for (place, position) in positions.enumerated() {
            if place > start, bytes + position.bytes > mostBytes {
                pages.append(positions[start..<place])
                (start, bytes) = (place, 0)
            }
            bytes += position.bytes
        }
        if start < positions.count { pages.append(positions[start...]) }
        return pages
    }
}

extension ExportPosition {
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(id: try row.uuid(), recordedAt: try row.date(), bytes: try row.int())
    }
}
