/// The answer to one statement: its rows, or how many rows it changed.
package struct Rows: Sendable, RandomAccessCollection {
    let storage: RowStorage
    /// Rows that the statement returned, inserted, updated or deleted.
    package let affected: Int

    package var startIndex: Int { 0 }
    package var endIndex: Int { storage.rowCount }
    package subscript(position: Int) -> Row { Row(storage: storage, index: position) }
}

/// All values of one result in one buffer, copied once out of libpq's.
final class RowStorage: Sendable {
    struct Cell: Sendable {
        let offset: Int32
        /// -1 is NULL.
        let count: Int32
    }

    let bytes: [UInt8]
    /// Row after row.
    let cells: [Cell]
    /// The type of each column, an OID of `pg_type`.
    let types: [UInt32]
    let rowCount: Int

    init(bytes: [UInt8], cells: [Cell], types: [UInt32], rowCount: Int) {
        self.bytes = bytes
        self.cells = cells
        self.types = types
        self.rowCount = rowCount
    }

    /// nil when there is no such row or column; a nil value is NULL.
    func cell(row: Int, column: Int) -> (value: ArraySlice<UInt8>?, type: UInt32)? {
        guard types.indices.contains(column), row >= 0, row < rowCount else { return nil }
        let cell = cells[row * types.count + column]
        guard cell.count >= 0 else { return (nil, types[column]) }
        return (bytes[Int(cell.offset)..<Int(cell.offset) + Int(cell.count)], types[column])
    }
}
