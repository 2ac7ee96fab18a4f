import DiaryCore
import DiaryCrypto
import Synchronization

/// A range of an object's plaintext, opened one segment after another on the thread that reads it.
final class OpeningStream: ByteStream {
    private struct Position {
        var segment: Int64
        var skip: Int
        var left: Int64
    }

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

    /// Pieces of at most 64 KiB, none empty. Releases the reader at the end, on failure and on cancellation.
    func next() async throws -> [UInt8]? {
        if Task.isCancelled {
            reader.close()
            throw CancellationError()
        }
        let segment = position.withLock { $0.segment }
        guard let place = SealedObjectLayout.sealedRange(ofSegment: segment, total: total) else { return nil }
        do {
            let piece = try await reader.next(place.count) { [self] sealed throws(ObjectStoreError) in try open(sealed) }
            // The object ends before its length: it was cut short after its header was read.
            if piece == nil, position.withLock({ $0.left > 0 }) { throw ObjectStoreError.damaged }
            // Only the one segment of an empty object is empty.
            return piece.flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            reader.close()
            throw error
        }
    }

    /// - Throws: `damaged`, also for a segment that is cut short.
    private func open(_ sealed: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
        try position.withLock { position throws(ObjectStoreError) in
            let plain: [UInt8]
            do { plain = try opener.open(segment: position.segment, sealed) } catch { throw .damaged }
            let wanted = plain.dropFirst(position.skip).prefix(Int(min(position.left, Int64(plain.count))))
            position.skip = 0
            position.left -= Int64(wanted.count)
            position.segment += 1
            return wanted.count == plain.count ? plain : Array(wanted)
        }
    }
}
