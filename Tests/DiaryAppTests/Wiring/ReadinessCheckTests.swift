import DiaryHTTP
import TestSupport
import Testing

@testable import DiaryApp
@testable import DiaryObjectStore

@Suite("Checks of readiness", .timeLimit(.minutes(1)))
struct ReadinessCheckTests {
    @Test("a thousand calls, one after the other and at once, ask the dependency once")
    func shared() async {
        let asked = Shared(0)
        let check = ReadinessCheck(freshFor: .seconds(60)) {
            asked.change { $0 += 1 }
            return .degraded
        }

        for _ in 0..<500 { #expect(await check.state() == .degraded) }
        await withTaskGroup(of: ReadinessState.self) { group in
            for _ in 0..<500 { group.addTask { await check.state() } }
            for await state in group { #expect(state == .degraded) }
        }

        #expect(asked.now == 1)
    }

    @Test("an answer is not kept for longer than it is fresh")
    func stale() async {
        let works = Shared(true)
        let check = ReadinessCheck(freshFor: .zero) { ReadinessState(works.now) }

        #expect(await check.state() == .ok)
        works.set(false)
        #expect(await check.state() == .down)
    }

    @Test("a dependency that does not answer is down, and its late answer counts")
    func late() async {
        let answers = AsyncStream<ReadinessState>.makeStream()
        let check = ReadinessCheck(freshFor: .seconds(60)) {
            for await state in answers.stream { return state }
            return .down
        }

        #expect(await check.state(within: .milliseconds(10)) == .down)
        answers.continuation.yield(.ok)
        #expect(await eventually { await check.state(within: .seconds(5)) == .ok })
    }

    @Test("a disk is short once two of the largest recordings, or a thousand files, no longer fit")
    func shortDisk() {
        #expect(!ObjectStorage.isShort(DiskSpace(bytes: 1_000, files: nil), largest: 500))
        #expect(ObjectStorage.isShort(DiskSpace(bytes: 999, files: nil), largest: 500))
        #expect(!ObjectStorage.isShort(DiskSpace(bytes: .max, files: 1_000), largest: .max / 2))
        #expect(ObjectStorage.isShort(DiskSpace(bytes: .max, files: 999), largest: 1))
    }
}
