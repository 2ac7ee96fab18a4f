/// The answer to one statement: its rows, or how many rows it changed.
package struct Rows: Sendable, RandomAccessCollection {
    @usableFromInline let storage: RowStorage

    /// Rows that the statement returned, inserted, updated or deleted.
    package var affected: Int { storage.affected }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { storage.rowCount }
    @inlinable package subscript(position: Int) -> Row { Row(storage: storage, index: Int32(clamping: position)) }
}
