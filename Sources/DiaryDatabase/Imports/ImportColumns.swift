import DiaryCore
import PostgresClient

/// The columns of an import, in the order that `Import(row)` reads them.
enum ImportColumns {
    static let list = """
        i.id, i.status, i.code, i.source, i.size_bytes, i.sha256, i.object_id, i.created_at, i.upload_expires_at, i.finished_at, \
        i.entries_total, i.entries_done, i.created, i.unchanged, i.skipped, i.failed
        """
    static let count = 16
}

extension Import {
    init(_ row: Row, at first: Int = 0) throws(DatabaseError) {
        self.init(
            id: ImportID(try row.uuid(first)), status: try row.known(first + 1), code: try row.knownOrNil(first + 2),
            source: try row.knownOrNil(first + 3), sizeBytes: try row.int(first + 4), sha256: try row.bytesOrNil(first + 5),
            object: try row.uuidOrNil(first + 6), createdAt: try row.date(first + 7), uploadExpiresAt: try row.date(first + 8),
            finishedAt: try row.dateOrNil(first + 9), total: try row.intOrNil(first + 10), done: try row.int(first + 11),
            counts: ImportCounts(
                created: try row.int(first + 12), unchanged: try row.int(first + 13), skipped: try row.int(first + 14),
                failed: try row.int(first + 15)))
    }
}
