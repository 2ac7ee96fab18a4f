import FoundationEssentials

/// Postgres' binary formats (`*send` functions of the server). Each reader gives nil for another type or another shape.
enum ColumnReader {
    /// OIDs of `pg_type` that are binary on the wire and so never text.
    private static let notText: Set<UInt32> = [16, 17, 20, 21, 23, 26, 700, 701, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950]
    private static let arrays: Set<UInt32> = [1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951]

    static func uuid(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> UUID? {
        guard type == 2950, bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { raw in
            UUID(uuid: raw.loadUnaligned(as: uuid_t.self))
        }
    }

    static func text(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> String? {
        guard !notText.contains(type), !arrays.contains(type) else { return nil }
        guard type == 3802 else { return String(validating: bytes, as: UTF8.self) }
        guard bytes.first == 1 else { return nil }
        return String(validating: bytes.dropFirst(), as: UTF8.self)
    }

    static func int(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> Int64? {
        switch (type, bytes.count) {
        case (20, 8): Int64(bitPattern: bigEndian(bytes))
        case (23, 4): Int64(Int32(truncatingIfNeeded: bigEndian(bytes)))
        case (21, 2): Int64(Int16(truncatingIfNeeded: bigEndian(bytes)))
        case (26, 4): Int64(truncatingIfNeeded: bigEndian(bytes))
        default: nil
        }
    }

    static func bool(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> Bool? {
        guard type == 16, bytes.count == 1 else { return nil }
        return bytes.first != 0
    }

    static func bytes(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> [UInt8]? {
        type == 17 ? Array(bytes) : nil
    }

    static func double(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> Double? {
        switch (type, bytes.count) {
        case (701, 8): Double(bitPattern: bigEndian(bytes))
        case (700, 4): Double(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian(bytes))))
        default: nil
        }
    }

    static func date(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> Date? {
        guard type == 1184, bytes.count == 8 else { return nil }
        return PostgresTime.date(microseconds: Int64(bitPattern: bigEndian(bytes)))
    }

    static func localTimestamp(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> LocalTimestamp? {
        guard type == 1114, bytes.count == 8 else { return nil }
        let count = Int64(bitPattern: bigEndian(bytes))
        // The two ends are -infinity and infinity.
        guard count != .min, count != .max else { return nil }
        return LocalTimestamp(postgresMicroseconds: count)
    }

    static func day(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> String? {
        guard type == 1082, bytes.count == 4 else { return nil }
        let days = Int32(truncatingIfNeeded: bigEndian(bytes))
        guard days != .min, days != .max else { return nil }
        return CivilDate(postgresDays: Int64(days)).text
    }

    static func texts(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> [String]? {
        guard type == 1009 || type == 1015 else { return nil }
        return array(bytes) { String(validating: $0, as: UTF8.self) }
    }

    static func uuids(_ bytes: ArraySlice<UInt8>, _ type: UInt32) -> [UUID]? {
        guard type == 2951 else { return nil }
        return array(bytes) { uuid($0, 2950) }
    }

    /// Array header: dimensions, has-NULLs, element type; per dimension length and lower bound; then length and bytes of each element.
    private static func array<Element>(
        _ bytes: ArraySlice<UInt8>, _ read: (ArraySlice<UInt8>) -> Element?
    ) -> [Element]? {
        var rest = bytes
        func int32() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return Int(Int32(truncatingIfNeeded: bigEndian(rest.prefix(4))))
        }
        guard let dimensions = int32(), int32() != nil, int32() != nil else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = int32(), count >= 0, count <= bytes.count, int32() != nil else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            guard let length = int32(), length >= 0, length <= rest.count, let element = read(rest.prefix(length)) else { return nil }
            elements.append(element)
            rest = rest.dropFirst(length)
        }
        return elements
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var sum: UInt64 = 0
        for byte in bytes { sum = sum << 8 | UInt64(byte) }
        return sum
    }
}
