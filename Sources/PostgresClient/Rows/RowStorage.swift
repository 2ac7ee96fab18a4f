import CLibpq

/// Owns one of libpq's results. Values are decoded in place, so a column is copied once: into what the caller gets.
///
/// Unchecked: a result does not change once it was received, and libpq lets any thread read it.
@usableFromInline
final class RowStorage: @unchecked Sendable {
    private let result: OpaquePointer
    @usableFromInline let rowCount: Int
    let columnCount: Int
    /// OIDs of the columns' types, read once instead of for every value.
    private let types: [UInt32]

    init(owning result: OpaquePointer) {
        self.result = result
        rowCount = Int(PQntuples(result))
        let columnCount = Int(PQnfields(result))
        self.columnCount = columnCount
        types = (0..<Int32(clamping: columnCount)).map { PQftype(result, $0) }
    }

    deinit {
        PQclear(result)
    }

    var affected: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// libpq checks row and column too, but with a notice.
    func has(row: Int32, column: Int32) -> Bool {
        row >= 0 && Int(row) < rowCount && column >= 0 && Int(column) < columnCount
    }

    /// nil is NULL; valid as long as the storage lives. Row and column exist.
    func cell(row: Int32, column: Int32) -> Cell? {
        let length = Int(PQgetlength(result, row, column))
        // Only a value without length can be NULL.
        guard length > 0 || PQgetisnull(result, row, column) == 0 else { return nil }
        return Cell(bytes: UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: length), type: types[Int(column)])
    }
}

/// A value in Postgres' binary format.
struct Cell {
    let bytes: UnsafeRawBufferPointer
    /// An OID of `pg_type`.
    let type: UInt32
}
