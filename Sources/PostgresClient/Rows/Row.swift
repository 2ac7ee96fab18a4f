package import FoundationEssentials

/// One row, read in the order of its columns: `row.uuid()`, `row.textOrNil()` … read the next one. A reader that is given a number, from
/// 0, reads that column. Each throws `.decoding` for a wrong type, and for NULL unless it ends in `OrNil`.
///
/// Rows of a page are decoded in other targets. The readers are therefore functions without generic parameters, compiled here
/// with `ColumnReader` inlined into them; what is generic (`read`) or smaller than a call is `@inlinable`.
package struct Row: Sendable {
    @usableFromInline let storage: RowStorage
    @usableFromInline let index: Int32
    @usableFromInline var next: Int32

    @inlinable
    init(storage: RowStorage, index: Int32) {
        self.storage = storage
        self.index = index
        next = 0
    }

    package var columnCount: Int { storage.columnCount }

    package func isNull(_ column: Int) throws(DatabaseError) -> Bool {
        guard case .some = try cell(column) else { return true }
        return false
    }

    package func uuid(_ column: Int) throws(DatabaseError) -> UUID { try required(column, ColumnReader.uuid) }
    package func uuidOrNil(_ column: Int) throws(DatabaseError) -> UUID? { try optional(column, ColumnReader.uuid) }

    /// Any type that is text on the wire: `text`, `varchar`, `name`, `json`, `jsonb`, enumerations.
    package func text(_ column: Int) throws(DatabaseError) -> String { try required(column, ColumnReader.text) }
    package func textOrNil(_ column: Int) throws(DatabaseError) -> String? { try optional(column, ColumnReader.text) }

    /// `smallint`, `integer` or `bigint`. A sum of `bigint` is `numeric`: cast it in the statement.
    package func int(_ column: Int) throws(DatabaseError) -> Int64 { try required(column, ColumnReader.int) }
    package func intOrNil(_ column: Int) throws(DatabaseError) -> Int64? { try optional(column, ColumnReader.int) }

    package func bool(_ column: Int) throws(DatabaseError) -> Bool { try required(column, ColumnReader.bool) }

    /// `bytea`
    package func bytes(_ column: Int) throws(DatabaseError) -> [UInt8] { try required(column, ColumnReader.bytes) }
    package func bytesOrNil(_ column: Int) throws(DatabaseError) -> [UInt8]? { try optional(column, ColumnReader.bytes) }
    /// `bytea` without a copy; NULL is nil.
    package func lentBytesOrNil(_ column: Int) throws(DatabaseError) -> LentBytes? {
        try optional(column) { $0.type == 17 ? LentBytes(bytes: $0.bytes, owner: storage) : nil }
    }

    /// `real` or `double precision`
    package func double(_ column: Int) throws(DatabaseError) -> Double { try required(column, ColumnReader.double) }
    package func doubleOrNil(_ column: Int) throws(DatabaseError) -> Double? { try optional(column, ColumnReader.double) }

    /// `timestamptz`; `infinity` does not decode.
    package func date(_ column: Int) throws(DatabaseError) -> Date { try required(column, ColumnReader.date) }
    package func dateOrNil(_ column: Int) throws(DatabaseError) -> Date? { try optional(column, ColumnReader.date) }

    /// `timestamp` without time zone; `infinity` does not decode.
    package func localTimestamp(_ column: Int) throws(DatabaseError) -> LocalTimestamp { try required(column, ColumnReader.localTimestamp) }

    /// `date` as `YYYY-MM-DD`; `infinity` does not decode.
    package func day(_ column: Int) throws(DatabaseError) -> String { try required(column, ColumnReader.day) }

    /// `text[]` or `varchar[]` of one dimension without NULLs
    package func texts(_ column: Int) throws(DatabaseError) -> [String] { try required(column, ColumnReader.texts) }

    /// `uuid[]` of one dimension without NULLs
    package func uuids(_ column: Int) throws(DatabaseError) -> [UUID] { try required(column, ColumnReader.uuids) }

    /// Decodes a text from its bytes, without a `String` in between; NULL is nil.
    /// - Parameter decode: nil throws `.decoding`. The bytes are valid during the call.
    @inlinable
    package func read<Value>(_ column: Int, _ decode: (UnsafeRawBufferPointer) -> Value?) throws(DatabaseError) -> Value? {
        guard let bytes = try characters(column) else { return nil }
        guard let value = withExtendedLifetime(storage, { decode(bytes) }) else { throw DatabaseError(.decoding, column: column) }
        return value
    }

    @usableFromInline
    func characters(_ column: Int) throws(DatabaseError) -> UnsafeRawBufferPointer? { try optional(column, ColumnReader.characters) }

    private func cell(_ column: Int) throws(DatabaseError) -> Cell? {
        guard let number = Int32(exactly: column), storage.has(row: index, column: number) else {
            throw DatabaseError(.decoding, column: column)
        }
        return storage.cell(row: index, column: number)
    }

    @inline(__always)
    private func optional<Value>(_ column: Int, _ read: (Cell) -> Value?) throws(DatabaseError) -> Value? {
        guard let cell = try cell(column) else { return nil }
        guard let value = read(cell) else { throw DatabaseError(.decoding, column: column) }
        return value
    }

    @inline(__always)
    private func required<Value>(_ column: Int, _ read: (Cell) -> Value?) throws(DatabaseError) -> Value {
        guard let cell = try cell(column), let value = read(cell) else { throw DatabaseError(.decoding, column: column) }
        return value
    }
}

/// Readers of the next column. They are inlined where they are called: a row that no other function gets is read by constant numbers.
extension Row {
    /// The number of the next column, which then counts as read.
    @inlinable
    package mutating func take() -> Int {
        defer { next &+= 1 }
        return Int(next)
    }

    @inlinable package mutating func skip(_ columns: Int) { next &+= Int32(truncatingIfNeeded: columns) }

    /// Whether the next column is NULL, which stays unread.
    @inlinable package func nextIsNull() throws(DatabaseError) -> Bool { try isNull(Int(next)) }

    @inlinable package mutating func uuid() throws(DatabaseError) -> UUID { try uuid(take()) }
    @inlinable package mutating func uuidOrNil() throws(DatabaseError) -> UUID? { try uuidOrNil(take()) }
    @inlinable package mutating func text() throws(DatabaseError) -> String { try text(take()) }
    @inlinable package mutating func textOrNil() throws(DatabaseError) -> String? { try textOrNil(take()) }
    @inlinable package mutating func int() throws(DatabaseError) -> Int64 { try int(take()) }
    @inlinable package mutating func intOrNil() throws(DatabaseError) -> Int64? { try intOrNil(take()) }
    @inlinable package mutating func bool() throws(DatabaseError) -> Bool { try bool(take()) }
    @inlinable package mutating func bytes() throws(DatabaseError) -> [UInt8] { try bytes(take()) }
    @inlinable package mutating func bytesOrNil() throws(DatabaseError) -> [UInt8]? { try bytesOrNil(take()) }
    @inlinable package mutating func double() throws(DatabaseError) -> Double { try double(take()) }
    @inlinable package mutating func doubleOrNil() throws(DatabaseError) -> Double? { try doubleOrNil(take()) }
    @inlinable package mutating func date() throws(DatabaseError) -> Date { try date(take()) }
    @inlinable package mutating func dateOrNil() throws(DatabaseError) -> Date? { try dateOrNil(take()) }
    @inlinable package mutating func localTimestamp() throws(DatabaseError) -> LocalTimestamp { try localTimestamp(take()) }
    @inlinable package mutating func day() throws(DatabaseError) -> String { try day(take()) }
    @inlinable package mutating func texts() throws(DatabaseError) -> [String] { try texts(take()) }
    @inlinable package mutating func uuids() throws(DatabaseError) -> [UUID] { try uuids(take()) }
}

/// The answer to one statement: its rows, or how many rows it changed.
package struct Rows: Sendable, RandomAccessCollection {
    @usableFromInline let storage: RowStorage

    /// Rows that the statement returned, inserted, updated or deleted.
    package var affected: Int { storage.affected }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { storage.rowCount }
    @inlinable package subscript(position: Int) -> Row { Row(storage: storage, index: Int32(clamping: position)) }
}

/// The bytes of a column inside the server's answer.
///
/// Unchecked: an answer does not change once it was received.
package struct LentBytes: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer
    /// Keeps `bytes` valid and unchanged as long as it lives.
    package let owner: any AnyObject & Sendable
}
