import BlockingCalls
import DiaryCore
import Synchronization

/// Reads a range of an object's file on the store's threads. Holds the descriptor until the last piece, `close`, or deinitialisation, so
/// that a file that is deleted or moved meanwhile can be read to its end.
final class FileReader: ByteReader {
    private struct Position {
        var file: Descriptor?
        var offset: Int64
    }

    let objectSize: Int64
    private let end: Int64
    private let pool: BlockingPool
    private let position: Mutex<Position>

    init(_ file: Descriptor, range: Range<Int64>, pool: BlockingPool) throws(ObjectStoreError) {
        objectSize = try file.status().size
        let range = range.clamped(to: 0..<objectSize)
        end = range.upperBound
        self.pool = pool
        position = Mutex(Position(file: range.isEmpty ? nil : file, offset: range.lowerBound))
    }

    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]? {
        guard position.withLock({ $0.file != nil }) else { return nil }
        return try await pool.run { [self] () throws(ObjectStoreError) in
            guard let bytes = try read(count) else { return nil }
            return try transform(bytes)
        }
    }

    func close() { position.withLock { $0.file = nil } }

    private func read(_ count: Int) throws(ObjectStoreError) -> [UInt8]? {
        try position.withLock { position throws(ObjectStoreError) in
            guard let file = position.file else { return nil }
            let wanted = Int(min(Int64(max(0, count)), end - position.offset))
            let bytes = try file.read(at: position.offset, count: wanted)
            position.offset += Int64(wanted)
            if position.offset >= end { position.file = nil }
            return bytes
        }
    }
}
