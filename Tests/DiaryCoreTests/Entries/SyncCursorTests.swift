import Testing

@testable import DiaryCore

@Suite("Positions of the feed")
struct SyncCursorTests {
    @Test("A20: a position carries its epoch, and reads again as it was written", arguments: [Int64(0), 1, 4_109_894_713_213_298, .max])
    func epoch(epoch: Int64) {
        let cursor = SyncCursor(changeNumber: 23, purgedThrough: 7, epoch: epoch)

        #expect(SyncCursor(parsing: cursor.text) == cursor)
        #expect(cursor.text.utf8.count == 34)
    }

    @Test("a position of another form, or with a negative epoch, is refused")
    func spelling() {
        #expect(SyncCursor(changeNumber: 23, purgedThrough: 0, epoch: 0).text == "AwAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA")
        // Shorter, of the listing, and with a negative epoch.
        for text in ["AwAAAAAAAAAXAAAAAAAAAAA", "AgAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA", "AwAAAAAAAAAXAAAAAAAAAACAAAAAAAAAAA"] {
            #expect(SyncCursor(parsing: text) == nil, "\(text)")
        }
    }
}
