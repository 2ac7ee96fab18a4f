/// Where the segments of a sealed object lie: a header, then segments of 64 KiB plaintext and a 16-byte tag each.
/// Only the last segment may be shorter; an empty object has one empty segment.
package enum SealedObjectLayout {
    /// Plaintext bytes of every segment but the last.
    package static let segmentSize = 65_536
    /// The same with its tag.
    package static let sealedSegmentSize = segmentSize + AES256GCM.tagSize
    /// 64 TiB, so that no sum below overflows Int64.
    package static let maximumPlainLength: Int64 = 1 << 46

    /// At least one.
    package static func segmentCount(ofPlain length: Int64) -> Int64 {
        max(1, (clamped(length) + Int64(segmentSize) - 1) / Int64(segmentSize))
    }

    /// Bytes of the whole sealed object, header included. Lengths outside 0...`maximumPlainLength` count as the nearest of these.
    package static func sealedLength(ofPlain length: Int64) -> Int64 {
        Int64(SealedObjectHeader.count) + clamped(length) + segmentCount(ofPlain: length) * Int64(AES256GCM.tagSize)
    }

    /// Plaintext bytes of one segment; nil when the object has no such segment.
    package static func plainLength(ofSegment index: Int64, total: Int64) -> Int? {
        guard (0..<segmentCount(ofPlain: total)).contains(index) else { return nil }
        return Int(min(Int64(segmentSize), clamped(total) - index * Int64(segmentSize)))
    }

    /// Where one sealed segment lies in the sealed object; nil when there is no such segment.
    package static func sealedRange(ofSegment index: Int64, total: Int64) -> Range<Int64>? {
        guard let plain = plainLength(ofSegment: index, total: total) else { return nil }
        let start = Int64(SealedObjectHeader.count) + index * Int64(sealedSegmentSize)
        return start..<start + Int64(plain + AES256GCM.tagSize)
    }

    /// The segments to read for a range of the plaintext. The range is cut to the object; an empty one needs no segment,
    /// but an empty object always gives its one, so that its reader still checks a tag.
    package static func segments(coveringPlain range: Range<Int64>, total: Int64) -> SegmentCover {
        let total = clamped(total)
        let wanted = range.clamped(to: 0..<total)
        let size = Int64(segmentSize)
        let segments: Range<Int64> =
            if total == 0 { 0..<1 } else if wanted.isEmpty { 0..<0 } else {
                wanted.lowerBound / size..<(wanted.upperBound - 1) / size + 1
            }
        let header = Int64(SealedObjectHeader.count)
        let start = header + segments.lowerBound * Int64(sealedSegmentSize)
        let end = min(sealedLength(ofPlain: total), header + segments.upperBound * Int64(sealedSegmentSize))
        return SegmentCover(
            segments: segments, sealedRange: segments.isEmpty ? start..<start : start..<end,
            skip: wanted.isEmpty ? 0 : Int(wanted.lowerBound % size), count: Int64(wanted.count))
    }

    private static func clamped(_ length: Int64) -> Int64 { min(max(0, length), maximumPlainLength) }
}

/// The part of a sealed object that a range of the plaintext needs.
package struct SegmentCover: Sendable, Equatable {
    /// Segment numbers to open, in order.
    package let segments: Range<Int64>
    /// Where these lie in the sealed object, counted from its first byte.
    package let sealedRange: Range<Int64>
    /// Plaintext bytes to drop from the first opened segment.
    package let skip: Int
    /// Plaintext bytes to return after that.
    package let count: Int64
}
