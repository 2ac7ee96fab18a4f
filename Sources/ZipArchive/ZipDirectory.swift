/// The central directory of an archive, read and checked before libzip sees the file: libzip takes memory for every member that a directory
/// states, takes the best of several end records, and does not look for members that share bytes. APPNOTE 6.3.10, sections 4.3.6 to 4.3.16.
struct ZipDirectory: Sendable {
    let offset: Int64
    let count: Int
    private let end: Int64

    private static let endRecord = 22
    private static let longestComment = 65_535

    init(_ file: UnlinkedTempFile, _ limits: ZipReadLimits) throws(ZipReadError) {
        let size = try Self.size(file)
        guard size >= Int64(Self.endRecord) else { throw .noArchive }
        let tailStart = max(0, size - Int64(Self.endRecord + Self.longestComment))
        let tail = try Self.bytes(file, at: tailStart, count: Int(size - tailStart))
        var found: Int?
        for place in stride(from: tail.count - Self.endRecord, through: 0, by: -1) where tail.is(0x0605_4B50, at: place) {
            guard found == nil else { throw .ambiguous }
            found = place
        }
        guard let place = found else { throw .noArchive }
        guard place + Self.endRecord + Int(tail.two(at: place + 20)) == tail.count else { throw .damaged }
        let record = tailStart + Int64(place)
        var (onDisk, all) = (UInt64(tail.two(at: place + 8)), UInt64(tail.two(at: place + 10)))
        var (length, start) = (UInt64(tail.four(at: place + 12)), UInt64(tail.four(at: place + 16)))
        var disks = UInt64(tail.two(at: place + 4)) | UInt64(tail.two(at: place + 6))
        var directoryEnd = record
        let isLong = all == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF
        if record >= 20, case let locator = try Self.bytes(file, at: record - 20, count: 20), locator.is(0x0706_4B50, at: 0) {
            guard locator.four(at: 4) == 0, locator.four(at: 16) <= 1 else { throw .damaged }
            guard let long = Int64(exactly: locator.eight(at: 8)), long >= 0, long <= record - 20 - 56 else { throw .damaged }
            let fields = try Self.bytes(file, at: long, count: 56)
            guard fields.is(0x0606_4B50, at: 0), let rest = Int64(exactly: fields.eight(at: 4)), rest >= 44, rest <= record,
                long + 12 + rest == record - 20
            else { throw .damaged }
            (onDisk, all) = (fields.eight(at: 24), fields.eight(at: 32))
            (length, start) = (fields.eight(at: 40), fields.eight(at: 48))
            disks = UInt64(fields.four(at: 16)) | UInt64(fields.four(at: 20))
            directoryEnd = long
        } else if isLong {
            throw .damaged
        }
        guard disks == 0, onDisk == all else { throw .damaged }
        guard all <= UInt64(limits.members), length <= UInt64(limits.directoryBytes) else { throw .tooManyMembers }
        guard let offset = Int64(exactly: start), let length = Int64(exactly: length), offset <= size, offset + length == directoryEnd
        else {
            throw .damaged
        }
        self.offset = offset
        count = Int(all)
        end = directoryEnd
    }

    /// Every member in order.
    func read(_ file: UnlinkedTempFile, _ limits: ZipReadLimits, _ each: (ZipEntry) -> Void) throws(ZipReadError) {
        // Hashes: a quarter of a million names would take tens of megabytes.
        var names = Set<Int>()
        var places: [(start: Int64, end: Int64)] = []
        places.reserveCapacity(count)
        var total: Int64 = 0
        var window = Window(file: file, position: offset, end: end)
        for index in 0..<count {
            let entry = try Self.entry(&window, index)
            guard names.insert(entry.path.hashValue).inserted else { throw .duplicateName }
            guard entry.size <= limits.totalBytes - total else { throw .tooLarge }
            total += entry.size
            // Compared by division, so that no product overflows.
            guard entry.size <= limits.ratioFrom || entry.size / limits.ratio <= entry.compressedSize else { throw .suspiciousRatio }
            let header = Int64(30 + entry.nameLength)
            guard entry.offset <= offset - header, entry.compressedSize <= offset - header - entry.offset else { throw .damaged }
            places.append((entry.offset, entry.offset + header + entry.compressedSize))
            each(entry)
        }
        guard window.isAtEnd else { throw .damaged }
        places.sort { $0.start < $1.start }
        for (one, next) in zip(places, places.dropFirst()) where one.end > next.start { throw .overlapping }
    }

    private static func entry(_ window: inout Window, _ index: Int) throws(ZipReadError) -> ZipEntry {
        let head = try window.next(46)
        guard head.is(0x0201_4B50, at: 0) else { throw .damaged }
        let flags = head.two(at: 8)
        let (nameCount, extraCount, commentCount) = (Int(head.two(at: 28)), Int(head.two(at: 30)), Int(head.two(at: 32)))
        let name = try window.next(nameCount)
        let extra = try window.next(extraCount)
        _ = try window.next(commentCount)
        let sizes = try Self.sizes(head, extra)
        guard !name.contains(0) else { throw .unsafeName }
        let text = Self.path(name)
        let isFolder = text.hasSuffix("/")
        guard ZipPath.isAllowed(isFolder ? String(text.dropLast()) : text) else { throw .unsafeName }
        // The upper half of the attributes is a Unix mode when a Unix system made it.
        let mode = head[5] == 3 ? head.four(at: 38) >> 16 & 0o170000 : 0
        let kind: ZipEntry.Kind = isFolder || mode == 0o040000 ? .folder : mode == 0 || mode == 0o100000 ? .file : .special
        return ZipEntry(
            index: index, path: text, nameLength: nameCount, kind: kind, isEncrypted: flags & 0x2041 != 0, method: head.two(at: 10),
            compressedSize: sizes.compressed, size: sizes.plain, offset: sizes.offset)
    }

    /// Windows' own programs write its separators, and names of its code pages; `zip` with a path that begins here writes `./`.
    static func path(_ name: some Sequence<UInt8>) -> String {
        let text = String(decoding: name.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
        return text.hasPrefix("./") ? String(text.dropFirst(2)) : text
    }

    /// ZIP64's extra field has those that are saturated in the record, in this order.
    private static func sizes(_ head: [UInt8], _ extra: [UInt8]) throws(ZipReadError) -> (plain: Int64, compressed: Int64, offset: Int64) {
        var values = [head.four(at: 24), head.four(at: 20), head.four(at: 42)].map(UInt64.init)
        guard values.contains(0xFFFF_FFFF) || head.two(at: 34) == 0xFFFF else {
            guard head.two(at: 34) == 0 else { throw .damaged }
            return (Int64(values[0]), Int64(values[1]), Int64(values[2]))
        }
        var at = 0
        while at + 4 <= extra.count {
            let (id, count) = (extra.two(at: at), Int(extra.two(at: at + 2)))
            guard at + 4 + count <= extra.count else { throw .damaged }
            if id == 1 {
                var field = at + 4
                for index in values.indices where values[index] == 0xFFFF_FFFF {
                    guard field + 8 <= at + 4 + count else { throw .damaged }
                    values[index] = extra.eight(at: field)
                    field += 8
                }
                let signed = values.compactMap { Int64(exactly: $0) }
                guard signed.count == 3 else { throw .damaged }
                return (signed[0], signed[1], signed[2])
            }
            at += 4 + count
        }
        throw .damaged
    }

    private static func size(_ file: UnlinkedTempFile) throws(ZipReadError) -> Int64 {
        do { return try file.size } catch { throw ZipReadError(error) }
    }

    static func bytes(_ file: UnlinkedTempFile, at offset: Int64, count: Int) throws(ZipReadError) -> [UInt8] {
        guard count > 0 else { return [] }
        let bytes: [UInt8]
        do { bytes = try file.read(offset: offset, count: count) } catch { throw ZipReadError(error) }
        guard bytes.count == count else { throw .damaged }
        return bytes
    }

    /// The directory in pieces, so that it costs little memory.
    private struct Window {
        let file: UnlinkedTempFile
        var position: Int64
        let end: Int64
        var buffer: [UInt8] = []
        var taken = 0

        var isAtEnd: Bool { position == end && taken == buffer.count }

        mutating func next(_ count: Int) throws(ZipReadError) -> [UInt8] {
            if buffer.count - taken < count {
                buffer.removeFirst(taken)
                taken = 0
                let more = Int(min(Int64(1 << 18), end - position))
                buffer += try ZipDirectory.bytes(file, at: position, count: more)
                position += Int64(more)
                guard buffer.count >= count else { throw .damaged }
            }
            defer { taken += count }
            return Array(buffer[taken..<taken + count])
        }
    }
}

extension ZipReadError {
    init(_ error: ZipError) {
        switch error {
        case .file(let code): self = .file(code)
        case .library(let code, let system): self = .library(code: code, system: system)
        default: self = .damaged
        }
    }
}

/// Little-endian numbers. A place outside the bytes is a fault of the caller, which has checked their count; it reads as zeros.
extension [UInt8] {
    func two(at place: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(at: place, 2)) }
    func four(at place: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(at: place, 4)) }
    func eight(at place: Int) -> UInt64 { number(at: place, 8) }
    func `is`(_ signature: UInt32, at place: Int) -> Bool { place + 4 <= count && four(at: place) == signature }

    private func number(at place: Int, _ width: Int) -> UInt64 {
        guard place >= 0, place + width <= count else { return 0 }
        return (0..<width).reduce(0) { $0 | UInt64(self[place + $1]) << (8 * UInt64($1)) }
    }
}
