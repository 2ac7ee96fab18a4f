import DiaryCore
import FoundationEssentials
import ZipArchive

/// A file of an export, as the plan has it: its bytes are in the plan's own file, or are a recording in the object store.
struct PlannedMember: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        /// Packed, from there on in the plan's file.
        case text(offset: Int64, packed: Int64, crc32: UInt32)
        case recording(UUID)
    }

    var path: String
    var modified: ZipTimestamp
    /// Bytes, before they are packed.
    var length: Int64
    var content: Content

    /// Bytes in the zip.
    var size: Int64 {
        switch content {
        case .text(_, let packed, _): packed
        case .recording: length
        }
    }
}

extension PlannedMember {
    /// Length of the path (2), date (2), time (2), length (8), what it is (1); offset (8), packed length (8) and CRC-32 (4), or object (16); path.
    /// Little-endian.
    var record: [UInt8] {
        let name = Array(path.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(35 + name.count)
        bytes.appendLittleEndian(UInt16(clamping: name.count))
        bytes.appendLittleEndian(modified.date)
        bytes.appendLittleEndian(modified.time)
        bytes.appendLittleEndian(UInt64(bitPattern: length))
        switch content {
        case .text(let offset, let packed, let crc32):
            bytes.append(UInt8(0))
            bytes.appendLittleEndian(UInt64(bitPattern: offset))
            bytes.appendLittleEndian(UInt64(bitPattern: packed))
            bytes.appendLittleEndian(crc32)
        case .recording(let object):
            bytes.append(UInt8(1))
            bytes += object.octets
        }
        return bytes + name
    }

    /// Calls `each` with the members of some records.
    /// - Throws: `damaged` when the bytes are not whole records, and what `each` throws.
    static func forEach(in records: [UInt8], _ each: (PlannedMember) throws -> Void) throws {
        var rest = records[...]
        while !rest.isEmpty {
            guard let member = PlannedMember(taking: &rest) else { throw ObjectStoreError.damaged }
            try each(member)
        }
    }

    private init?(taking rest: inout ArraySlice<UInt8>) {
        guard let name: UInt16 = rest.take(), let date: UInt16 = rest.take(), let time: UInt16 = rest.take(),
            let length: UInt64 = rest.take(),
            let kind = rest.popFirst()
        else { return nil }
        switch kind {
        case 0:
            guard let offset: UInt64 = rest.take(), let packed: UInt64 = rest.take(), let crc32: UInt32 = rest.take() else { return nil }
            content = .text(offset: Int64(bitPattern: offset), packed: Int64(bitPattern: packed), crc32: crc32)
        case 1:
            guard let octets = rest.take(16), let object = UUID(octets: octets) else { return nil }
            content = .recording(object)
        default: return nil
        }
        guard let path = rest.take(Int(name)) else { return nil }
        self.path = String(decoding: path, as: UTF8.self)
        modified = ZipTimestamp(date: date, time: time)
        self.length = Int64(bitPattern: length)
    }
}

extension [UInt8] {
    fileprivate mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard self.count >= count else { return nil }
        defer { self = dropFirst(count) }
        return prefix(count)
    }

    fileprivate mutating func take<Number: FixedWidthInteger>() -> Number? {
        take(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
