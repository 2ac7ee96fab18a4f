import DiaryCore
import Foundation
import Testing

@testable import DiaryDatabase

/// Row A3: every write of a worker that was suspended past its lease is refused.
@Suite("Fencing", .serialized, .timeLimit(.minutes(3)))
struct FencingTests {
    /// What happened to the job while its first worker was suspended.
    enum Since: String, CaseIterable, Sendable { case readyAgain, claimedAgain, finished, retriedAndClaimed }
    enum Write: String, CaseIterable, Sendable { case begin, finish, retry, discard, release, renew }

    @Test("every late write is refused, and the second worker's result stands (A3)")
    func lateWrites() async throws {
        let fixture = try await WorkerFixture.make()
        var refused = 0
        var tried = 0
        for kind in JobCatalogue.diary.kinds {
            for since in Since.allCases {
                for write in Write.allCases {
                    try await fixture.ready(kind)
                    let stale = try await fixture.claim(kind, worker: "first")
                    try await fixture.begin(stale)
                    try await fixture.expire(stale)
                    #expect(try await fixture.queue.rescue(limit: 10, maxCrashes: 3) == [kind])
                    if since != .readyAgain {
                        let second = try await fixture.claim(kind, worker: "second")
                        #expect(second.id == stale.id && second.attempt == 2)
                        if since == .finished { try await fixture.finish(second) }
                        if since == .retriedAndClaimed {
                            try await fixture.queue.retry(second, code: .unexpected, afterSeconds: -1)
                            _ = try await fixture.claim(kind, worker: "third")
                        }
                    }
                    let before = try await fixture.dump()

                    let error = await refusal { () throws(WorkError) in
                        switch write {
                        case .begin: try await fixture.begin(stale)
                        case .finish: _ = try await fixture.finish(stale)
                        case .retry: try await fixture.queue.retry(stale, code: .unexpected, afterSeconds: 1)
                        case .discard: try await fixture.queue.discard(stale, code: .unexpected)
                        case .release:
                            try await fixture.queue.release([stale])
                            throw .leaseLost
                        case .renew: if try await fixture.queue.renew([stale], leaseSeconds: 60).isEmpty { throw .leaseLost }
                        }
                    }

                    let after = try await fixture.dump()
                    tried += 1
                    if error == .leaseLost, after == before { refused += 1 }
                    #expect(error == .leaseLost, "\(kind) \(since) \(write)")
                    #expect(after.changed(since: before).isEmpty, "\(kind) \(since) \(write)")
                    try await fixture.database.change(
                        "update jobs set state = 'done', lease_until = null where state in ('ready', 'leased')")
                }
            }
        }
        print("A3: \(refused) of \(tried) late writes refused")
        #expect(tried == JobCatalogue.diary.kinds.count * Since.allCases.count * Write.allCases.count && refused == tried)
    }

    @Test("of the rescuer and a worker that returns in time exactly one has the job, 30 times")
    func rescueRaces() async throws {
        let fixture = try await WorkerFixture.make()
        for _ in 0..<30 {
            let entry = try await fixture.ready(.verify)
            let job = try await fixture.claim(.verify)
            try await fixture.expire(job)

            let outcomes = try await parallel(3) { side in
                switch side {
                case 0: await refusal { () throws(WorkError) in try await fixture.finish(job) } == nil ? "finished" : "late"
                default: try await fixture.queue.rescue(limit: 10, maxCrashes: 3).isEmpty ? "nothing" : "rescued"
                }
            }

            let finished = outcomes.contains("finished")
            #expect(outcomes.count { $0 == "rescued" } == (finished ? 0 : 1))
            #expect(try await fixture.living(.transcribe, entry) == (finished ? 1 : 0))
            #expect(try await fixture.living(.verify, entry) == (finished ? 0 : 1))
            try await fixture.database.change("update jobs set state = 'done', lease_until = null where state in ('ready', 'leased')")
        }
    }
}
