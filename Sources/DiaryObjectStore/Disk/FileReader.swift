import BlockingCalls
import DiaryCore
import DiaryCrypto
import Synchronization

/// Reads a range of an object's file on the store's threads, the first piece when it is opened: a short object costs one change of thread. Holds the
/// descriptor until the last piece has been read, `close`, or deinitialisation, so that a file that is deleted or moved meanwhile can be read to its
/// end.
final class FileReader: ByteReader {
    fileprivate struct Position {
        var file: Descriptor?
        var offset: Int64
        /// Read from `offset` on.
        var ahead: ArraySlice<UInt8>
    }

    /// Of the first piece: the header and two segments, which are opened where they are asked for.
    private static let mostAhead = SealedObjectHeader.count + 2 * SealedObjectLayout.sealedSegmentSize

    let objectSize: Int64
    private let end: Int64
    private let pool: BlockingPool
    private let position: Mutex<Position>

    /// Blocks on the disk.
    init(_ file: Descriptor, range: Range<Int64>, pool: BlockingPool) throws(ObjectStoreError) {
        objectSize = try file.status().size
        let range = range.clamped(to: 0..<objectSize)
        end = range.upperBound
        self.pool = pool
        let ahead = range.isEmpty ? [] : try file.read(at: range.lowerBound, count: Int(min(Int64(range.count), Int64(Self.mostAhead))))
        let isWhole = ahead.count == range.count
        position = Mutex(Position(file: isWhole ? nil : file, offset: range.lowerBound, ahead: ahead[...]))
    }

    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]? {
        let (ahead, isOpen) = position.withLock { position in (position.take(count, before: end), position.file != nil) }
        if let ahead { return try transform(ahead) }
        guard isOpen else { return nil }
        return try await pool.run { [self] () throws(ObjectStoreError) in
            guard let bytes = try read(count) else { return nil }
            return try transform(bytes)
        }
    }

    func close() {
        position.withLock { position in
            position.file = nil
            position.ahead = []
        }
    }

    private func read(_ count: Int) throws(ObjectStoreError) -> [UInt8]? {
        try position.withLock { position throws(ObjectStoreError) in
            guard let file = position.file else { return nil }
            let wanted = Int(min(Int64(max(0, count)), end - position.offset))
            var bytes = Array(position.ahead)
            bytes += try file.read(at: position.offset + Int64(bytes.count), count: wanted - bytes.count)
            position.ahead = []
            position.offset += Int64(wanted)
            if position.offset >= end { position.file = nil }
            return bytes
        }
    }
}

extension FileReader.Position {
    /// - Returns: nil where not all of it has been read.
    fileprivate mutating func take(_ count: Int, before end: Int64) -> [UInt8]? {
        let wanted = Int(min(Int64(max(0, count)), end - offset))
        guard wanted > 0, ahead.count >= wanted else { return nil }
        defer {
            ahead = ahead.dropFirst(wanted)
            offset += Int64(wanted)
        }
        return Array(ahead.prefix(wanted))
    }
}
