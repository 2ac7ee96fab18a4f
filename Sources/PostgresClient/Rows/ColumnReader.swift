import FoundationEssentials
import WireFormats

/// Postgres' binary formats (`*send` functions of the server). Each reader gives nil for another type or another shape.
enum ColumnReader {
    static func uuid(_ cell: Cell) -> UUID? {
        guard cell.type == 2950, cell.bytes.count == 16 else { return nil }
        return UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self))
    }

    static func text(_ cell: Cell) -> String? { characters(cell).flatMap(utf8) }

    /// The bytes of a text where they lie.
    static func characters(_ cell: Cell) -> UnsafeRawBufferPointer? {
        switch cell.type {
        // text, varchar, bpchar, name: the usual ones first.
        case 25, 1043, 1042, 19: cell.bytes
        // jsonb's binary format: version 1, then the text.
        case 3802: cell.bytes.first == 1 ? UnsafeRawBufferPointer(rebasing: cell.bytes.dropFirst()) : nil
        default: isBinary(cell.type) ? nil : cell.bytes
        }
    }

    /// OIDs of `pg_type` that are binary on the wire and so never text; among them arrays.
    private static func isBinary(_ type: UInt32) -> Bool {
        switch type {
        case 16, 17, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950: true
        case 1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951: true
        default: false
        }
    }

    private static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
        do { return String(copying: try UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)) } catch { return nil }
    }

    static func int(_ cell: Cell) -> Int64? {
        switch (cell.type, cell.bytes.count) {
        case (20, 8): load(cell.bytes, as: Int64.self)
        case (23, 4): Int64(load(cell.bytes, as: Int32.self))
        case (21, 2): Int64(load(cell.bytes, as: Int16.self))
        case (26, 4): Int64(load(cell.bytes, as: UInt32.self))
        default: nil
        }
    }

    static func bool(_ cell: Cell) -> Bool? {
        guard cell.type == 16, cell.bytes.count == 1 else { return nil }
        return cell.bytes.first != 0
    }

    static func bytes(_ cell: Cell) -> [UInt8]? {
        cell.type == 17 ? [UInt8](cell.bytes) : nil
    }

    static func double(_ cell: Cell) -> Double? {
        switch (cell.type, cell.bytes.count) {
        case (701, 8): Double(bitPattern: load(cell.bytes, as: UInt64.self))
        case (700, 4): Double(Float(bitPattern: load(cell.bytes, as: UInt32.self)))
        default: nil
        }
    }

    static func date(_ cell: Cell) -> Date? {
        guard cell.type == 1184, cell.bytes.count == 8 else { return nil }
        return PostgresTime.date(microseconds: load(cell.bytes, as: Int64.self))
    }

    static func localTimestamp(_ cell: Cell) -> LocalTimestamp? {
        guard cell.type == 1114, cell.bytes.count == 8 else { return nil }
        let count = load(cell.bytes, as: Int64.self)
        // The two ends are -infinity and infinity.
        guard count != .min, count != .max else { return nil }
        return LocalTimestamp(postgresMicroseconds: count)
    }

    static func day(_ cell: Cell) -> String? {
        guard cell.type == 1082, cell.bytes.count == 4 else { return nil }
        let days = load(cell.bytes, as: Int32.self)
        guard days != .min, days != .max else { return nil }
        return GregorianDay(postgresDays: Int64(days)).description
    }

    static func texts(_ cell: Cell) -> [String]? {
        guard cell.type == 1009 || cell.type == 1015 else { return nil }
        return array(cell.bytes, utf8)
    }

    static func uuids(_ cell: Cell) -> [UUID]? {
        guard cell.type == 2951 else { return nil }
        return array(cell.bytes) { uuid(Cell(bytes: $0, type: 2950)) }
    }

    /// Array header: dimensions, has-NULLs, element type; per dimension length and lower bound; then length and bytes of each element.
    private static func array<Element>(_ bytes: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Element?) -> [Element]? {
        var rest = bytes
        func take(_ count: Int) -> UnsafeRawBufferPointer? {
            guard count >= 0, count <= rest.count else { return nil }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
            return UnsafeRawBufferPointer(rebasing: rest[..<count])
        }
        func int32() -> Int? { take(4).map { Int(load($0, as: Int32.self)) } }
        guard let dimensions = int32(), int32() != nil, int32() != nil else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = int32(), count >= 0, count <= bytes.count, int32() != nil else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            guard let length = int32(), let value = take(length), let element = read(value) else { return nil }
            elements.append(element)
        }
        return elements
    }

    /// Big-endian, at any address. The caller has compared the length.
    private static func load<Number: FixedWidthInteger & BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer, as type: Number.Type) -> Number {
        Number(bigEndian: bytes.loadUnaligned(as: type))
    }
}
