import DiaryCore
import DiaryCrypto
import Synchronization

/// Reads a range of a stored object, one opened segment after another. Holds the descriptor until the last piece, a failure,
/// cancellation, or until it is dropped.
final class StoredObjectReader: ByteStream {
    private struct Position {
        var file: Descriptor?
        var segment: Int64
        var skip: Int
        var left: Int64
    }

    private let opener: SegmentOpener
    private let total: Int64
    private let end: Int64
    private let pool: BlockingPool
    private let position: Mutex<Position>

    init(_ file: Descriptor, key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey, pool: BlockingPool) throws(ObjectStoreError) {
        let header = try Self.header(of: file, key: key)
        do {
            opener = try SegmentOpener(key: dataKey, purpose: key.purpose, header: header, objectID: key.object)
        } catch {
            throw .damaged
        }
        total = header.plainLength
        let cover = SealedObjectLayout.segments(coveringPlain: range, total: total)
        end = cover.segments.upperBound
        self.pool = pool
        position = Mutex(
            Position(file: cover.segments.isEmpty ? nil : file, segment: cover.segments.lowerBound, skip: cover.skip, left: cover.count))
    }

    /// - Throws: `damaged` when a file's length is not what its header says, or it is another object's.
    static func header(of file: Descriptor, key: ObjectKey) throws(ObjectStoreError) -> SealedObjectHeader {
        let header: SealedObjectHeader
        do {
            header = try SealedObjectHeader(parsing: try file.read(at: 0, count: SealedObjectHeader.count))
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .damaged
        }
        guard header.objectID == key.object, try file.status().size == SealedObjectLayout.sealedLength(ofPlain: header.plainLength)
        else { throw .damaged }
        return header
    }

    /// Pieces of at most 64 KiB, none empty. Not for several callers at once: pieces would come in any order.
    func next() async throws -> [UInt8]? {
        if Task.isCancelled {
            close()
            throw CancellationError()
        }
        guard position.withLock({ $0.file != nil }) else { return nil }
        do {
            let piece = try await pool.run { [self] () throws(ObjectStoreError) in try readSegment() }
            return piece.isEmpty ? nil : piece
        } catch {
            close()
            throw error
        }
    }

    private func close() { position.withLock { $0.file = nil } }

    private func readSegment() throws(ObjectStoreError) -> [UInt8] {
        try position.withLock { position throws(ObjectStoreError) in
            guard let file = position.file, let place = SealedObjectLayout.sealedRange(ofSegment: position.segment, total: total)
            else { return [] }
            let sealed = try file.read(at: place.lowerBound, count: place.count)
            let plain: [UInt8]
            do { plain = try opener.open(segment: position.segment, sealed) } catch { throw .damaged }
            let wanted = plain.dropFirst(position.skip).prefix(Int(min(position.left, Int64(plain.count))))
            position.skip = 0
            position.left -= Int64(wanted.count)
            position.segment += 1
            if position.segment >= end { position.file = nil }
            return wanted.count == plain.count ? plain : Array(wanted)
        }
    }
}
