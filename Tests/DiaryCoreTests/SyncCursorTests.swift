import Testing

@testable import DiaryCore

@Suite("Positions of the feed")
struct SyncCursorTests {
    @Test("A20: a position carries its epoch, and reads again as it was written", arguments: [Int64(0), 1, 4_109_894_713_213_298, .max])
    func epoch(epoch: Int64) {
        let cursor = SyncCursor(changeNumber: 23, purgedThrough: 7, epoch: epoch)

        #expect(SyncCursor(parsing: cursor.text) == cursor)
        #expect(cursor.text.utf8.count == (epoch == 0 ? 23 : 34))
    }

    @Test("a position of the version before epochs is one of epoch 0, and an epoch has one spelling")
    func spelling() {
        let cursor = SyncCursor(changeNumber: 23, purgedThrough: 0, epoch: 0)
        #expect(cursor.text == "AwAAAAAAAAAXAAAAAAAAAAA")
        // Form 4 with epoch 0, form 3 with an epoch, and a negative epoch.
        for text in ["BAAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA", "AwAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAQ", "BAAAAAAAAAAXAAAAAAAAAACAAAAAAAAAAA"] {
            #expect(text.utf8.count == 34 && SyncCursor(parsing: text) == nil, "\(text)")
        }
    }
}
