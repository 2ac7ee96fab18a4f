import BlockingCalls
import Glibc
import Synchronization
import TestDatabases
import TestSupport
import Testing

@testable import PostgresClient

@Suite("Connections of the pool", .timeLimit(.minutes(1)))
struct PooledConnectionTests {
    private final class Holder: Sendable {
        enum Phase: Int { case waiting, holding, mayGo, gone }

        private let number = Atomic(Phase.waiting.rawValue)

        var phase: Phase { Phase(rawValue: number.load(ordering: .sequentiallyConsistent)) ?? .gone }

        func enter(_ phase: Phase) { number.store(phase.rawValue, ordering: .sequentiallyConsistent) }

        /// Releases the connection when `phase` becomes `mayGo`, and after twenty seconds at the latest.
        func hold(_ connection: PooledConnection) {
            connection.hold { _ in
                enter(.holding)
                let end = ContinuousClock.now + .seconds(20)
                while phase != .mayGo, .now < end { usleep(1_000) }
            }
            enter(.gone)
        }
    }

    @Test("a sender that holds a connection delays no other connection's answers, and its own answer comes when it releases the connection")
    func heldConnection() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(size: 3, statementTimeout: .seconds(60), applicationName: "connections")
        let barrier = try await Barrier.raise(in: database)
        #expect(await eventually { pool.status.idle == 3 })
        let holder = Holder()

        async let own = pool.run([Barrier.statement, Statement("select 7")])
        #expect(try await eventually { try await waiters(in: database) == "1" })
        let busy = pool.core.state.withLock { state in state.current.firstIndex { $0 != nil } }
        let connection = pool.core.connections[try #require(busy)]
        #expect(NamedThread.start("holder") { holder.hold(connection) })
        #expect(await eventually { holder.phase == .holding })
        barrier.lower()
        #expect(try await eventually { try await waiters(in: database) == "0" })
        // A cancelled call makes the loop check all connections.
        let cancelled = Task { try await pool.query("select pg_sleep(60)") }
        #expect(await eventually { pool.status.busy == 2 })
        cancelled.cancel()
        _ = await cancelled.result
        for number in 0..<20 { #expect(try await pool.query("select \(number)")[0].int(0) == Int64(number)) }

        #expect(holder.phase == .holding)
        holder.enter(.mayGo)
        #expect(try await own[1][0].int(0) == 7)
    }

    private func waiters(in database: TestDatabase) async throws -> String {
        try await database.sql(
            "select count(*) from pg_stat_activity where datname = '\(database.name)' and application_name = 'connections' and wait_event_type = 'Lock'"
        )
    }
}
