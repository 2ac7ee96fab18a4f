import DiaryCore
import DiaryCrypto
import Synchronization

/// A range of an object's plaintext, opened some segments at a time on the thread that reads it.
final class OpeningStream: ByteStream {
    private struct Position {
        var segment: Int64
        var skip: Int
        var left: Int64
    }

    /// Each piece costs a change of thread, which takes as long as opening a segment.
    private static let segmentsAtOnce: Int64 = 4

    private let reader: any ByteReader
    private let opener: SegmentOpener
    private let total: Int64
    private let position: Mutex<Position>

    /// - Parameter reader: of `cover.sealedRange`.
    init(_ reader: any ByteReader, _ opener: SegmentOpener, _ cover: SegmentCover, total: Int64) {
        self.reader = reader
        self.opener = opener
        self.total = total
        position = Mutex(Position(segment: cover.segments.lowerBound, skip: cover.skip, left: cover.count))
    }

    /// Pieces of at most 256 KiB, none empty. Releases the reader at the end, on failure and on cancellation.
    func next() async throws -> [UInt8]? {
        if Task.isCancelled {
            reader.close()
            throw CancellationError()
        }
        let count = sealedCount()
        guard count > 0 else { return nil }
        do {
            let piece = try await reader.next(count) { [self] sealed throws(ObjectStoreError) in try open(sealed) }
            // The object ends before its length: it was cut short after its header was read.
            if piece == nil, position.withLock({ $0.left > 0 }) { throw ObjectStoreError.damaged }
            // Only the one segment of an empty object is empty.
            return piece.flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            reader.close()
            throw error
        }
    }

    /// Of the next segments together: as many as are wanted, and not more than a piece has.
    private func sealedCount() -> Int {
        position.withLock { position in
            let wanted = Int64(position.skip) + position.left
            let size = Int64(SealedObjectLayout.segmentSize)
            // At least one, also of an empty object, so that its tag is checked.
            let most = min(Self.segmentsAtOnce, max(1, (wanted + size - 1) / size))
            return (0..<most).reduce(0) { count, index in
                count + (SealedObjectLayout.sealedRange(ofSegment: position.segment + index, total: total)?.count ?? 0)
            }
        }
    }

    /// Opens each segment into its place of the piece.
    /// - Throws: `damaged`, also for a segment that is cut short; those before it are then not returned either.
    private func open(_ sealed: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
        try position.withLock { position throws(ObjectStoreError) in
            let size = SealedObjectLayout.sealedSegmentSize
            let tag = size - SealedObjectLayout.segmentSize
            let count = (sealed.count + size - 1) / size
            var opened: Int64 = 0
            let plain = [UInt8](unsafeUninitializedCapacity: max(0, sealed.count - count * tag)) { target, filled in
                sealed.withUnsafeBytes { sealed in
                    let target = UnsafeMutableRawBufferPointer(target)
                    for start in stride(from: 0, to: sealed.count, by: size) {
                        let segment = sealed[start..<min(start + size, sealed.count)]
                        let end = filled + segment.count - tag
                        guard segment.count >= tag, end <= target.count,
                            case .success = opener.open(
                                segment: position.segment + opened, UnsafeRawBufferPointer(rebasing: segment),
                                into: UnsafeMutableRawBufferPointer(rebasing: target[filled..<end]))
                        else { return filled = 0 }
                        filled = end
                        opened += 1
                    }
                }
            }
            guard opened == Int64(count), count > 0 else { throw .damaged }
            let wanted = plain.dropFirst(position.skip).prefix(Int(min(position.left, Int64(plain.count))))
            position.skip = 0
            position.left -= Int64(wanted.count)
            position.segment += opened
            return wanted.count == plain.count ? plain : Array(wanted)
        }
    }
}
