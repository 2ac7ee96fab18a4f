import FoundationEssentials

@testable import DiaryCore
@testable import DiaryCrypto
@testable import DiaryDatabase
@testable import DiaryHTTP
@testable import PostgresClient

extension FuzzTarget {
    /// `Range` fields, and the sealed segments that a range needs.
    static let range = FuzzTarget(name: "range") { input in
        let size = input.number(in: 0...SealedObjectLayout.maximumPlainLength) >> Int64(input.choice(47))
        let asked: ByteRange
        if input.flag() {
            asked = ByteRange.parse(input.text(), size: size)
        } else {
            let first = input.number(in: 0...999_999_999_999_999_999) >> Int64(input.choice(60))
            let last = input.number(in: 0...999_999_999_999_999_999) >> Int64(input.choice(60))
            asked = ByteRange.parse("bytes=\(first)-\(last)", size: size)
            let expected: ByteRange =
                last < first ? .whole : first >= size ? .unsatisfiable : .part(first..<min(size, last + 1))
            hold(asked == expected, "another range than was asked for")
            let suffix: ByteRange = last == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - last)..<size)
            hold(ByteRange.parse("bytes=-\(last)", size: size) == suffix, "another end than was asked for")
        }
        guard case .part(let range) = asked else { return }
        hold(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "a range outside the object")
        let cover = SealedObjectLayout.segments(coveringPlain: range, total: size)
        hold(cover.count == Int64(range.count), "segments for another count")
        hold(
            cover.segments.lowerBound * Int64(SealedObjectLayout.segmentSize) + Int64(cover.skip) == range.lowerBound,
            "segments that start elsewhere")
        hold(cover.segments.upperBound <= SealedObjectLayout.segmentCount(ofPlain: size), "segments after the last")
        hold(cover.sealedRange.upperBound <= SealedObjectLayout.sealedLength(ofPlain: size), "bytes after the object's end")
        hold(
            SealedObjectLayout.sealedRange(ofSegment: cover.segments.lowerBound, total: size)?.lowerBound == cover.sealedRange.lowerBound,
            "two beginnings")
        hold(
            SealedObjectLayout.sealedRange(ofSegment: cover.segments.upperBound - 1, total: size)?.upperBound
                == cover.sealedRange.upperBound,
            "two ends")
    }

    /// Places in the feed and in the listing. One place has one spelling, and comes back from the database as it was.
    static let cursor = FuzzTarget(name: "cursor") { input in
        switch input.choice(4) {
        case 0:
            let text = input.text()
            if let cursor = SyncCursor(parsing: text) { hold(cursor.text.isExactly(text), "a place in the feed with two spellings") }
        case 1:
            let cursor = SyncCursor(
                changeNumber: input.number(in: 0...Int64.max - 1), purgedThrough: input.number(in: 0...Int64.max - 1),
                epoch: input.number(in: 0...Int64.max - 1))
            hold(SyncCursor(parsing: cursor.text) == cursor, "a place in the feed does not read again")
        case 2:
            let text = input.text()
            if let place = EntryPosition(parsing: text) {
                let back = EntryPosition(parsing: place.text)
                hold(back?.id == place.id && back?.sort == place.sort, "a place in a sorted listing does not read again")
            }
            guard let cursor = DateCursor(parsing: text) else { return }
            hold(PostgresTime.microseconds(of: cursor.position.recordedAt) != nil, "a place that the database cannot hold")
            hold(DateCursor(parsing: cursor.text)?.position.id == cursor.position.id, "a place in the listing does not read again")
        default:
            // From the column, through the answer and the next request, to the column: in the years a recording can have.
            let stored = input.number(in: -3_155_673_600_000_000...6_311_433_599_999_999)
            guard let date = PostgresTime.date(microseconds: stored) else { return hold(false, "a time that does not decode") }
            let cursor = DateCursor(position: DatePosition(recordedAt: date, id: EntryID(input.uuid())))
            guard let back = DateCursor(parsing: cursor.text) else { return hold(false, "a cursor of ours does not read") }
            hold(back.position.id == cursor.position.id, "another entry")
            hold(
                PostgresTime.microseconds(of: back.position.recordedAt) == stored,
                "another microsecond: an entry would be skipped or come twice")
        }
    }
}
