import CLibzip

/// An archive that is made while it is read: in memory but for the bytes of its long members, which pass through as they come. Its length is
/// known before. For a few members; `ZipWriter` writes large archives.
///
/// What passes through is framed as deflate's stored blocks (RFC 1951, 3.2.4), with length and sum behind it (APPNOTE 4.3.9): readers that do
/// not seek find the end of a member by its deflate stream, and refuse a stored one whose length stands behind it.
package actor StreamedZip {
    package typealias Pieces = AsyncMemberSource.Pieces

    package struct Member: Sendable {
        package enum Content: Sendable {
            /// Packed before, by `Deflater`.
            case packed([UInt8], PackedFacts)
            /// - Parameter start: called when the archive reaches the member; its pieces have so many bytes in all.
            case streamed(length: Int64, start: @Sendable () async throws -> Pieces)
        }

        let path: String
        let modified: ZipTimestamp
        let content: Content

        package init(path: String, modified: ZipTimestamp, content: Content) {
            self.path = path
            self.modified = modified
            self.content = content
        }
    }

    private enum Step {
        case member
        case pieces(Pieces)
        case ended
    }

    /// Of a stored block.
    private static let block = 0xFFFF

    /// Bytes of the whole archive.
    package nonisolated let size: Int64
    private let members: [Member]
    private let offsets: [Int64]
    /// CRC-32 of the members that are written.
    private var checks: [UInt32] = []
    private var step = Step.member
    /// Of the member that is written: what is to come, what is not framed yet, and the sum.
    private var left: Int64 = 0
    private var pending: [UInt8] = []
    private var check: UInt32 = 0

    /// - Throws: `invalidPath`, `duplicatePath`, `invalidLength`, or `noMembers`.
    package init(_ members: [Member]) throws(ZipError) {
        guard !members.isEmpty else { throw .noMembers }
        var paths = Set<String>()
        var offsets: [Int64] = []
        var end: Int64 = 0
        for member in members {
            guard ZipPath.isAllowed(member.path) else { throw .invalidPath }
            guard paths.insert(ZipPath.collisionKey(member.path)).inserted else { throw .duplicatePath }
            // Far below what would overflow in sums.
            guard (0...1 << 50).contains(member.length) else { throw .invalidLength }
            offsets.append(end)
            end += Int64(member.header(0).count) + member.size + Int64(member.descriptor(0).count)
        }
        self.members = members
        self.offsets = offsets
        size = end + Int64(Self.directory(members, offsets, [UInt32](repeating: 0, count: members.count), at: end).count)
    }

    /// The next bytes; calls do not overlap.
    /// - Returns: nil at the end.
    /// - Throws: `lengthMismatch` when a member has other bytes than it said, and what its source throws.
    package func next() async throws -> [UInt8]? {
        while true {
            switch step {
            case .member:
                guard checks.count < members.count else {
                    step = .ended
                    return Self.directory(members, offsets, checks, at: end)
                }
                let member = members[checks.count]
                switch member.content {
                case .packed(let bytes, let facts):
                    checks.append(facts.crc32)
                    return member.header(facts.crc32) + bytes
                case .streamed(let length, let start):
                    (left, pending, check) = (length, [], 0)
                    step = .pieces(try await start())
                    return member.header(0)
                }
            case .pieces(let pieces):
                if let piece = try await pieces() {
                    let framed = try frame(piece)
                    if !framed.isEmpty { return framed }
                } else {
                    guard left == 0 else { throw ZipError.lengthMismatch }
                    let member = members[checks.count]
                    let last = Self.stored(pending[...], isLast: true)
                    checks.append(check)
                    (pending, step) = ([], .member)
                    return last + member.descriptor(check)
                }
            case .ended: return nil
            }
        }
    }

    /// Where the directory begins.
    private var end: Int64 {
        guard let member = members.last, let offset = offsets.last else { return 0 }
        return offset + Int64(member.header(0).count) + member.size + Int64(member.descriptor(0).count)
    }

    /// Full blocks; what may be the last one is held back.
    private func frame(_ piece: [UInt8]) throws(ZipError) -> [UInt8] {
        guard Int64(piece.count) <= left else { throw .lengthMismatch }
        left -= Int64(piece.count)
        // zlib answers null with its first value.
        if !piece.isEmpty {
            check = piece.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(UInt(check), $0.baseAddress, $0.count)) }
        }
        pending += piece
        var framed: [UInt8] = []
        var rest = pending[...]
        while rest.count > Self.block {
            framed += Self.stored(rest.prefix(Self.block), isLast: false)
            rest = rest.dropFirst(Self.block)
        }
        if rest.count < pending.count { pending = Array(rest) }
        return framed
    }

    private static func stored(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
        var block: [UInt8] = [isLast ? 1 : 0]
        block.reserveCapacity(bytes.count + 5)
        block.append(two: bytes.count)
        block.append(two: ~bytes.count)
        return block + bytes
    }

    /// Of `count` bytes as stored blocks.
    fileprivate static func framed(_ count: Int64) -> Int64 { count + 5 * max(1, (count + Int64(block) - 1) / Int64(block)) }

    /// The directory and its end (APPNOTE 4.3.12 to 4.3.16).
    private static func directory(_ members: [Member], _ offsets: [Int64], _ checks: [UInt32], at start: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, member) in members.enumerated() { bytes += member.entry(checks[index], at: offsets[index]) }
        let (count, length) = (members.count, Int64(bytes.count))
        if count >= 0xFFFF || start >= Member.large || length >= Member.large {
            let place = start + length
            bytes.append(four: 0x0606_4B50)
            bytes.append(eight: 44)
            for version in [0x032D, 45] { bytes.append(two: version) }
            for _ in 0..<2 { bytes.append(four: 0) }
            for number in [Int64(count), Int64(count), length, start] { bytes.append(eight: number) }
            bytes.append(four: 0x0706_4B50)
            bytes.append(four: 0)
            bytes.append(eight: place)
            bytes.append(four: 1)
        }
        bytes.append(four: 0x0605_4B50)
        for number in [0, 0, min(count, 0xFFFF), min(count, 0xFFFF)] { bytes.append(two: number) }
        for number in [length, start] { bytes.append(four: min(number, Member.large)) }
        bytes.append(two: 0)
        return bytes
    }
}

/// The records of a member.
extension StreamedZip.Member {
    /// What a field of four bytes says of a number that does not fit.
    fileprivate static let large: Int64 = 0xFFFF_FFFF

    /// Bytes before they were packed.
    var length: Int64 {
        switch content {
        case .packed(_, let facts): facts.length
        case .streamed(let length, _): length
        }
    }

    /// Bytes in the archive.
    fileprivate var size: Int64 {
        switch content {
        case .packed(let bytes, _): Int64(bytes.count)
        case .streamed(let length, _): StreamedZip.framed(length)
        }
    }

    private var isStreamed: Bool { if case .streamed = content { true } else { false } }
    private var isLarge: Bool { size >= Self.large || length >= Self.large }
    private var version: Int { isLarge ? 45 : 20 }

    /// Version, UTF-8 (bit 11) and a descriptor behind it (bit 3), deflated, time.
    private func common(_ bytes: inout [UInt8]) {
        for number in [version, isStreamed ? 0x0808 : 0x0800, 8, Int(modified.time), Int(modified.date)] { bytes.append(two: number) }
    }

    /// Before it (4.3.7). What is not known yet stands behind it, and here is 0.
    fileprivate func header(_ check: UInt32) -> [UInt8] {
        let name = Array(path.utf8)
        var bytes: [UInt8] = []
        bytes.append(four: 0x0403_4B50)
        common(&bytes)
        bytes.append(four: Int64(check))
        for number in isLarge ? [Self.large, Self.large] : isStreamed ? [0, 0] : [size, length] { bytes.append(four: number) }
        bytes.append(two: name.count)
        bytes.append(two: isLarge ? 20 : 0)
        bytes += name
        if isLarge {
            for number in [1, 16] { bytes.append(two: number) }
            for number in [length, size] { bytes.append(eight: number) }
        }
        return bytes
    }

    /// Behind it; empty where the header says all.
    fileprivate func descriptor(_ check: UInt32) -> [UInt8] {
        guard isStreamed else { return [] }
        var bytes: [UInt8] = []
        bytes.append(four: 0x0807_4B50)
        bytes.append(four: Int64(check))
        for number in [size, length] { if isLarge { bytes.append(eight: number) } else { bytes.append(four: number) } }
        return bytes
    }

    /// In the directory.
    fileprivate func entry(_ check: UInt32, at offset: Int64) -> [UInt8] {
        let name = Array(path.utf8)
        // Those that do not fit, in this order (4.5.3).
        let extra = [length, size, offset].filter { $0 >= Self.large }
        var bytes: [UInt8] = []
        bytes.append(four: 0x0201_4B50)
        bytes.append(two: 0x0300 | version)
        common(&bytes)
        bytes.append(four: Int64(check))
        for number in [size, length] { bytes.append(four: min(number, Self.large)) }
        for number in [name.count, extra.isEmpty ? 0 : 4 + 8 * extra.count, 0, 0, 0] { bytes.append(two: number) }
        // A file that its owner may write, and others may read.
        bytes.append(four: 0o100644 << 16)
        bytes.append(four: min(offset, Self.large))
        bytes += name
        if !extra.isEmpty {
            for number in [1, 8 * extra.count] { bytes.append(two: number) }
            for number in extra { bytes.append(eight: number) }
        }
        return bytes
    }
}

/// Little-endian numbers.
extension [UInt8] {
    fileprivate mutating func append(two number: Int) { append(Int64(number), 2) }
    fileprivate mutating func append(four number: Int64) { append(number, 4) }
    fileprivate mutating func append(eight number: Int64) { append(number, 8) }

    private mutating func append(_ number: Int64, _ width: Int) {
        for place in 0..<width { append(UInt8(truncatingIfNeeded: number >> Int64(8 * place))) }
    }
}
