import DiaryCore
import PostgresClient

/// The columns of a recording's copy, in the order that `PlayableCopy(row:at:)` reads them.
enum CopyColumns {
    static let list = "r.object_id, r.size_bytes, r.sha256, r.removed_bytes is null"

    static let count = 4

    /// - Parameter entry: an alias of a row with the entry's keys.
    static func join(_ entry: String) -> String {
        "left join entry_renditions r on r.tenant_id = \(entry).tenant_id and r.user_id = \(entry).user_id and r.entry_id = \(entry).id"
    }
}

extension StoredEntry {
    /// - Parameter copy: where `CopyColumns` begin.
    init(_ row: Row, at first: Int = 0, copyAt copy: Int) throws(DatabaseError) {
        try self.init(row, at: first)
        guard let object = try row.uuidOrNil(copy) else { return }
        self.copy = PlayableCopy(
            object: object, sizeBytes: try row.int(copy + 1), sha256: try row.bytes(copy + 2), isOriginalKept: try row.bool(copy + 3))
    }
}
