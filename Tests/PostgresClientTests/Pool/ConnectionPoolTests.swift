import PostgresClient
import TestDatabases
import TestSupport
import Testing

@Suite("Connection pool", .timeLimit(.minutes(2)))
struct ConnectionPoolTests {
    @Test("the call that waits longest is served first")
    func fifo() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(checkoutDeadline: .seconds(60), statementTimeout: .seconds(60))
        let barrier = try await Barrier.raise(in: database)
        try await pool.query("create table turns (id int generated always as identity, who int)")

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await pool.run([Barrier.statement]) }
            #expect(await eventually { pool.status.busy == 1 })
            for who in 0..<20 {
                group.addTask { try await pool.query("insert into turns (who) values ($1)", .int4(Int32(who))) }
                #expect(await eventually { pool.status.waiting == who + 1 })
            }
            barrier.lower()
            try await group.waitForAll()
        }

        let order = try await pool.query("select who from turns order by id").map { row in try row.int(0) }
        #expect(order == Array(0..<20))
    }

    @Test("a call that gets no connection within the deadline fails with a timeout")
    func checkoutDeadline() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(checkoutDeadline: .milliseconds(200), statementTimeout: .seconds(60))
        let barrier = try await Barrier.raise(in: database)
        #expect(await eventually { pool.status.idle == 1 })

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await pool.run([Barrier.statement]) }
            #expect(await eventually { pool.status.busy == 1 })
            let start = ContinuousClock.now
            let error = await failure { () throws(DatabaseError) in try await pool.query("select 1") }

            #expect(error == DatabaseError(.timeout))
            #expect((.milliseconds(190) ... .milliseconds(1_500)).contains(ContinuousClock.now - start))
            barrier.lower()
            try await group.waitForAll()
        }

        #expect(try await pool.query("select 1")[0].int(0) == 1)
    }

    @Test("a statement beyond the server's limit is a timeout, and the connection stays")
    func statementTimeout() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(statementTimeout: .milliseconds(100))
        let before = try await pool.query("select pg_backend_pid()")[0].int(0)

        let error = await failure { () throws(DatabaseError) in
            try await pool.run([Statement("select 1"), Statement("select pg_sleep(5)")])
        }

        #expect(error?.kind == .timeout)
        #expect(error?.sqlstate == "57014")
        #expect(error?.statementIndex == 1)
        #expect(error?.outcomeUnknown == false)
        #expect(try await pool.query("select pg_backend_pid()")[0].int(0) == before)
    }

    @Test("a call to a silent server times out, its connection is discarded and its statement ends")
    func runDeadline() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(statementTimeout: .zero, runDeadline: .milliseconds(200), applicationName: "silent")

        let error = await failure { () throws(DatabaseError) in try await pool.query("select pg_sleep(30)") }

        #expect(error?.kind == .timeout)
        #expect(error?.outcomeUnknown == true)
        #expect(try await pool.query("select 1")[0].int(0) == 1)
        #expect(
            try await eventually {
                try await database.sql(
                    "select count(*) from pg_stat_activity where application_name = 'silent' and query like '%pg_sleep%' and datname = '\(database.name)'"
                ) == "0"
            })
    }

    @Test("connections are replaced past their lifetime, and checked after a long idle time")
    func lifetime() async throws {
        let database = try await TestDatabase.make()
        let aging = try database.pool(maxLifetime: .milliseconds(50))
        let silent = try database.pool(idleCheck: .zero)
        let first = try await aging.query("select pg_backend_pid()")[0].int(0)

        #expect(try await eventually { try await aging.query("select pg_backend_pid()")[0].int(0) != first })
        for _ in 0..<50 { #expect(try await silent.query("select 1")[0].int(0) == 1) }
    }

    @Test("closing lets the running and waiting calls finish, and refuses new ones")
    func gracefulClose() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(checkoutDeadline: .seconds(60), statementTimeout: .seconds(60), applicationName: "closing")
        let barrier = try await Barrier.raise(in: database)

        async let running = pool.run([Barrier.statement, Statement("select 1")])
        #expect(await eventually { pool.status.busy == 1 })
        async let waiting = pool.query("select 2")
        #expect(await eventually { pool.status.waiting == 1 })
        async let closed: Void = pool.close(within: .seconds(60))
        #expect(await eventually { pool.status.isClosing })
        #expect(await failure { () throws(DatabaseError) in try await pool.query("select 3") } == DatabaseError(.closed))
        barrier.lower()
        await closed

        #expect(try await running[1][0].int(0) == 1)
        #expect(try await waiting[0].int(0) == 2)
        #expect(
            try await eventually {
                try await database.sql(
                    "select count(*) from pg_stat_activity where application_name = 'closing' and datname = '\(database.name)'") == "0"
            })
    }

    @Test("closing fails what does not finish within its deadline")
    func forcedClose() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(statementTimeout: .seconds(60))

        async let running = failure { () throws(DatabaseError) in try await pool.query("select pg_sleep(50)") }
        #expect(await eventually { pool.status.busy == 1 })
        let start = ContinuousClock.now
        await pool.close(within: .milliseconds(200))

        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(await running?.kind == .closed)
        await pool.close()
    }

    @Test("a released pool closes its connections")
    func released() async throws {
        let database = try await TestDatabase.make()
        do {
            let pool = try database.pool(size: 3, applicationName: "released")
            #expect(await eventually { pool.status.connected == 3 })
        }

        #expect(
            try await eventually {
                try await database.sql(
                    "select count(*) from pg_stat_activity where application_name = 'released' and datname = '\(database.name)'") == "0"
            })
    }

    @Test("many callers share few connections")
    func crowd() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(size: 4, checkoutDeadline: .seconds(30))

        let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<2_000 {
                group.addTask { try await pool.query("select $1::bigint * 2", .int(number))[0].int(0) }
            }
            return try await group.reduce(0, +)
        }

        #expect(sum == 1_999 * 2_000)
        #expect(pool.status.waiting == 0)
    }
}
