import CLibpq

extension Rows {
    /// Copies a result's values into one buffer. nil when they exceed 2 GiB.
    init?(copying result: OpaquePointer) {
        let rowCount = PQntuples(result)
        let columnCount = PQnfields(result)
        let affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        guard columnCount > 0 else {
            self.init(storage: .none, affected: affected)
            return
        }
        var total = 0
        var cells: [RowStorage.Cell] = []
        cells.reserveCapacity(Int(rowCount) * Int(columnCount))
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                let length = PQgetlength(result, row, column)
                let isNull = length == 0 && PQgetisnull(result, row, column) == 1
                guard let offset = Int32(exactly: total) else { return nil }
                cells.append(RowStorage.Cell(offset: offset, count: isNull ? -1 : length))
                total += Int(length)
            }
        }
        guard total <= Int(Int32.max) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
            var next = cells.makeIterator()
            for row in 0..<rowCount {
                for column in 0..<columnCount {
                    guard let cell = next.next(), cell.count > 0, let value = PQgetvalue(result, row, column) else { continue }
                    UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[Int(cell.offset)..<Int(cell.offset) + Int(cell.count)]
                    )
                    .copyMemory(from: UnsafeRawBufferPointer(start: value, count: Int(cell.count)))
                }
            }
            initialized = total
        }
        let types = (0..<columnCount).map { PQftype(result, $0) }
        self.init(storage: RowStorage(bytes: bytes, cells: cells, types: types, rowCount: Int(rowCount)), affected: affected)
    }
}

extension RowStorage {
    /// Of a statement that returns no columns.
    static let none = RowStorage(bytes: [], cells: [], types: [], rowCount: 0)
}
