import FoundationEssentials
import PostgresClient

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
    init(_ row: Row) throws(DatabaseError) {
        self.init(id: try row.uuid(0), recordedAt: try row.date(1), bytes: try row.int(2))
    }
}
