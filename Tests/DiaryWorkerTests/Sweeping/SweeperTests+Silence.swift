import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

/// Uploads that a sweep asks for and the store does not serve.
extension SweeperTests {
    @Test(
        "A8: a few recordings that the store does not serve do not keep the walk from those after them, nor the round from its other steps")
    func broken() async {
        let broken = (0..<2 * DiarySweeps.failures).map { _ in upload(age: 60, arrived: 3) }
        objects.bytes.hooks.unreadable = Set(broken.map(staged))
        for _ in broken.count..<DiarySweeps.batch { _ = upload(age: 60, arrived: nil) }
        let (after, zip) = (upload(age: 60, arrived: 3), ended())
        objects[zip] = [1]

        await sweeper.sweep(settlingAll: false)

        #expect(store.completed.now == [after.entry])
        #expect(objects[zip] == nil)
    }

    @Test("A8: a store that serves none of several recordings is away, and the other steps leave it alone")
    func silent() async {
        let silent = (0..<DiarySweeps.failures).map { _ in upload(age: 60, arrived: 3) }
        objects.bytes.hooks.unreadable = Set(silent.map(staged))
        let zip = ended()
        objects[zip] = [1]

        await sweeper.sweep(settlingAll: false)

        #expect(store.completed.now.isEmpty)
        #expect(objects[zip] != nil)

        objects.bytes.hooks.unreadable = []
        await sweeper.sweep(settlingAll: false)
        #expect(Set(store.completed.now).count == silent.count && objects[zip] == nil)
    }
}
