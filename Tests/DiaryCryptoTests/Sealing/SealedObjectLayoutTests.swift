import Testing

@testable import DiaryCrypto

@Suite("Sealed object layout")
struct SealedObjectLayoutTests {
    @Test(
        "sealed lengths are header, plaintext and a tag per segment",
        arguments: [
            (0, 89), (1, 90), (65_536, 65_625), (65_537, 65_642), (131_072, 131_177), (131_073, 131_194),
        ] as [(Int64, Int64)])
    func sealedLength(plain: Int64, sealed: Int64) {
        #expect(SealedObjectLayout.sealedLength(ofPlain: plain) == sealed)
    }

    @Test("a range names its segments, their place and what to drop")
    func cover() {
        let cover = SealedObjectLayout.segments(coveringPlain: 65_540..<131_080, total: 150_000)

        #expect(cover.segments == 1..<3)
        #expect(cover.sealedRange == Int64(73 + 65_552)..<SealedObjectLayout.sealedLength(ofPlain: 150_000))
        #expect(cover.skip == 4)
        #expect(cover.count == 65_540)
    }

    @Test("the segments lie end to end and fill the object", arguments: [0, 1, 65_536, 65_537, 200_000] as [Int64])
    func contiguous(total: Int64) {
        var position = Int64(SealedObjectHeader.count)

        for index in 0..<SealedObjectLayout.segmentCount(ofPlain: total) {
            let range = SealedObjectLayout.sealedRange(ofSegment: index, total: total)
            #expect(range?.lowerBound == position)
            position = range?.upperBound ?? -1
        }

        #expect(position == SealedObjectLayout.sealedLength(ofPlain: total))
    }

    @Test("an empty object gives its one segment; an empty range of another gives none")
    func empty() {
        #expect(
            SealedObjectLayout.segments(coveringPlain: 0..<0, total: 0)
                == SegmentCover(segments: 0..<1, sealedRange: 73..<89, skip: 0, count: 0))
        #expect(SealedObjectLayout.segments(coveringPlain: 5..<5, total: 10).segments.isEmpty)
        #expect(SealedObjectLayout.segments(coveringPlain: 10..<20, total: 10).sealedRange.isEmpty)
    }

    @Test("extreme numbers are clamped, not trapped on")
    func wild() {
        #expect(SealedObjectLayout.sealedLength(ofPlain: -1) == 89)
        #expect(SealedObjectLayout.sealedLength(ofPlain: .max) == SealedObjectLayout.sealedLength(ofPlain: 1 << 46))
        #expect(SealedObjectLayout.segments(coveringPlain: .min ..< .max, total: .max).count == 1 << 46)
        #expect(SealedObjectLayout.segments(coveringPlain: .min ..< -1, total: 5).segments.isEmpty)
        #expect(SealedObjectLayout.sealedRange(ofSegment: .max, total: .max) == nil)
        #expect(SealedObjectLayout.plainLength(ofSegment: -1, total: 5) == nil)
    }
}
