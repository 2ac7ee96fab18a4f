@testable import DiaryDatabase
import Glibc
import Synchronization
import Testing

@Suite("Lanes of the pool", .timeLimit(.minutes(1)))
struct LaneTests {
    private final class Holder: Sendable {
        enum Phase: Int { case waiting, holding, mayGo, gone }

        private let number = Atomic(Phase.waiting.rawValue)

        var phase: Phase { Phase(rawValue: number.load(ordering: .sequentiallyConsistent)) ?? .gone }

        func enter(_ phase: Phase) { number.store(phase.rawValue, ordering: .sequentiallyConsistent) }

        /// Lets go when it is told to, and after ten seconds at the latest.
        func hold(_ lane: Lane) {
            lane.hold { _ in
                enter(.holding)
                let end = ContinuousClock.now + .seconds(10)
                while phase != .mayGo, .now < end { usleep(1_000) }
            }
            enter(.gone)
        }
    }

    @Test("who has a lane and does not get on keeps no other lane's answers back, and its own answer comes when he lets go of it")
    func heldLane() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(size: 2, statementTimeout: .seconds(30))
        #expect(await eventually { pool.status.idle == 2 })
        let holder = Holder()

        async let own = pool.query("select 7 from pg_sleep(0.3)")
        #expect(await eventually { pool.status.busy == 1 })
        let busy = pool.core.state.withLock { state in state.current.firstIndex { $0 != nil } }
        let lane = pool.core.lanes[try #require(busy)]
        #expect(NamedThread.start("holder") { holder.hold(lane) })
        #expect(await eventually { holder.phase == .holding })
        let running = "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(0.3)%' and pid <> pg_backend_pid()"
        #expect(try await eventually { try await pool.query(running)[0].int(0) == 0 })
        for number in 0..<20 { #expect(try await pool.query("select \(number)")[0].int(0) == Int64(number)) }

        #expect(holder.phase == .holding)
        holder.enter(.mayGo)
        #expect(try await own[0].int(0) == 7)
    }
}
