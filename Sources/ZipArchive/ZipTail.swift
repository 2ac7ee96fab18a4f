/// The end of an archive, in memory: blocks from an offset on. Only the last block is not full.
struct ZipTail {
    static let blockSize = 1 << 18

    private(set) var start: Int64
    private(set) var blocks: [[UInt8]] = []
    private(set) var count = 0

    init(at start: Int64 = 0) { self.start = start }

    var end: Int64 { start + Int64(count) }

    /// Writes over what it holds, and on behind its end.
    /// - Parameter offset: of the archive, from `start` to `end`.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let over = Int(min(Int64(bytes.count), end - offset))
        if over > 0 { overwrite(UnsafeRawBufferPointer(rebasing: bytes[..<over]), at: Int(offset - start)) }
        if over < bytes.count { append(UnsafeRawBufferPointer(rebasing: bytes[over...])) }
    }

    /// Removes what is full, in order.
    mutating func takeFullBlocks() -> [[UInt8]] {
        let full = Array(blocks.prefix(count / Self.blockSize))
        blocks.removeFirst(full.count)
        start += Int64(full.count * Self.blockSize)
        count -= full.count * Self.blockSize
        return full
    }

    private mutating func overwrite(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        var done = 0
        while done < bytes.count {
            let (block, offset) = (position + done).quotientAndRemainder(dividingBy: Self.blockSize)
            let piece = bytes[done..<min(bytes.count, done + Self.blockSize - offset)]
            blocks[block].withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + piece.count]).copyBytes(from: piece)
            }
            done += piece.count
        }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let free = Self.blockSize - count % Self.blockSize
            if free == Self.blockSize {
                var block: [UInt8] = []
                block.reserveCapacity(Self.blockSize)
                blocks.append(block)
            }
            let piece = rest.prefix(free)
            blocks[blocks.count - 1].append(contentsOf: piece)
            count += piece.count
            rest = rest.dropFirst(piece.count)
        }
    }
}

/// How large an archive of members becomes that are stored or packed before: by the layout that libzip writes (APPNOTE 4.3.6, 4.5.3).
package struct ZipSize: Sendable {
    private static let small: Int64 = 0xFFFF_FFFF

    private var members = 0
    /// Members with their headers.
    private var bytes: Int64 = 0
    private(set) var directory: Int64 = 0
    private var hasLarge = false

    package init() {}

    /// - Parameter length: of the member before it is packed.
    package mutating func add(path: String, size: Int64, length: Int64) {
        let name = Int64(path.utf8.count)
        let isLarge = size >= Self.small || length >= Self.small
        // Both sizes in the local header; in the directory those that are too large, and the offset where it is.
        var extra: Int64 = (size >= Self.small ? 8 : 0) + (length >= Self.small ? 8 : 0) + (bytes >= Self.small ? 8 : 0)
        if extra > 0 {
            extra += 4
            hasLarge = true
        }
        directory += 46 + name + extra
        bytes += 30 + name + (isLarge ? 20 : 0) + size
        members += 1
    }

    /// Bytes of the whole archive.
    package var total: Int64 {
        let isLarge = hasLarge || members > 0xFFFF || bytes > Self.small
        return bytes + directory + 22 + (isLarge ? 56 + 20 : 0)
    }
}
