import Foundation
import TestSupport
import Testing
import ZipArchive

@Suite("A member from asynchronous code", .timeLimit(.minutes(1)))
struct AsyncMemberSourceTests {
    struct Refused: Error, Equatable {}

    /// Reads on a thread that is not of the cooperative pool, as the archive does.
    static func readAll(_ source: AsyncMemberSource, max: Int) async -> Result<[UInt8], any Error> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result {
                        try source.open()
                        defer { source.close() }
                        var all: [UInt8] = []
                        while true {
                            let bytes = try source.read(max: max)
                            guard !bytes.isEmpty else { return all }
                            #expect(bytes.count <= max)
                            all += bytes
                        }
                    })
            }
        }
    }

    @Test("returns all pieces in order, cut to the requested size, and reads a few ahead at most")
    func order() async throws {
        let (given, furthest) = (Shared(0), Shared(0))
        let source = AsyncMemberSource(prefetch: 2) {
            return {
                let n = given.now
                guard n < 50 else { return nil }
                given.set(n + 1)
                furthest.set(max(furthest.now, n + 1))
                return [UInt8](repeating: UInt8(n), count: n % 7)
            }
        }

        let all = try await Self.readAll(source, max: 4).get()

        #expect(all == (0..<50).flatMap { [UInt8](repeating: UInt8($0), count: $0 % 7) })
    }

    @Test("stops reading ahead when enough pieces wait")
    func bounded() async throws {
        let given = Shared(0)
        let source = AsyncMemberSource(prefetch: 4) {
            return {
                given.change { $0 += 1 }
                return [1]
            }
        }

        try source.open()
        #expect(await eventually { given.now >= 4 })
        for _ in 0..<100 { await Task.yield() }

        #expect(given.now <= 5)
        source.close()
    }

    @Test("passes a failure on, early or late", arguments: [0, 3])
    func failure(after pieces: Int) async throws {
        let given = Shared(0)
        let source = AsyncMemberSource {
            return {
                if given.now == pieces { throw Refused() }
                given.change { $0 += 1 }
                return [7]
            }
        }

        let result = await Self.readAll(source, max: 10)

        #expect(throws: Refused.self) { try result.get() }
    }

    @Test("a read without data ends when it is cancelled")
    func cancelled() async throws {
        let asked = Shared(false)
        let source = AsyncMemberSource {
            return {
                asked.set(true)
                try await Task.sleep(for: .seconds(600))
                return nil
            }
        }

        async let reading = Self.readAll(source, max: 10)
        #expect(await eventually { asked.now })
        source.cancel()
        let result = await reading

        #expect(throws: (any Error).self) { try result.get() }
    }
}
