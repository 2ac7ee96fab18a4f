import Glibc
import PostgresClient
import TestDatabases
import TestServers
import TestSupport
import Testing

@Suite("Outages", .timeLimit(.minutes(3)))
struct OutageTests {
    @Test("a terminated session is an unavailable database, known not to have written, and the pool recovers (A5)")
    func terminated() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(statementTimeout: .seconds(60), applicationName: "outage-test")
        let kill =
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'outage-test' and datname = '\(database.name)'"

        async let running = failure { () throws(DatabaseError) in try await pool.query("select pg_sleep(50)") }
        #expect(
            try await eventually {
                try await database.sql(
                    "select count(*) from pg_stat_activity where application_name = 'outage-test' and state = 'active' and datname = '\(database.name)'"
                ) == "1"
            })
        try await database.sql(kill)

        let error = await running
        #expect(error?.kind == .unavailable)
        #expect(error?.sqlstate == "57P01")
        #expect(error?.retryable == true)
        #expect(error?.outcomeUnknown == false)
        #expect(try await pool.query("select 1")[0].int(0) == 1)
    }

    @Test("sessions terminated while idle fail no call (A5)")
    func terminatedIdle() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(size: 3, applicationName: "storm")

        for _ in 0..<10 {
            #expect(await eventually { pool.status.idle == 3 })
            try await database.sql(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'storm' and datname = '\(database.name)'"
            )
            #expect(try await pool.query("select 1")[0].int(0) == 1)
        }
    }

    @Test("a session that went silent while idle delays a call by a second and does not fail it (A5)")
    func silentWhileIdle() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(idleCheck: .zero)
        let backend = try pid_t(truncatingIfNeeded: await pool.query("select pg_backend_pid()")[0].int(0))

        try #require(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        let start = ContinuousClock.now
        let other = try await pool.query("select pg_backend_pid()")[0].int(0)

        #expect(other != Int64(backend))
        #expect(ContinuousClock.now - start > .milliseconds(900))
    }

    @Test("while the server is down calls fail within the deadline, then at once; once it is up they work again (A5)")
    func restart() async throws {
        let server = try await PrivatePostgres.start(["max_connections=10"])
        let database = try await TestDatabase.make(on: server)
        let pool = try database.pool(size: 4, checkoutDeadline: .milliseconds(500), statementTimeout: .seconds(60))
        #expect(await eventually { pool.status.connected == 4 })

        for mode: PrivatePostgres.StopMode in [.fast, .immediate] {
            async let running = failure { () throws(DatabaseError) in try await pool.query("select pg_sleep(50)") }
            #expect(await eventually { pool.status.busy == 1 })
            try await server.stop(mode)
            #expect(await running?.kind == .unavailable)

            var start = ContinuousClock.now
            #expect(await failure { () throws(DatabaseError) in try await pool.query("select 1") }?.kind == .unavailable)
            // Half a second to wait for a connection; the rest allows for load from other suites.
            #expect(ContinuousClock.now - start < .seconds(5))
            #expect(
                await eventually {
                    start = ContinuousClock.now
                    let error = await failure { () throws(DatabaseError) in try await pool.query("select 1") }
                    return error == DatabaseError(.unavailable) && ContinuousClock.now - start < .milliseconds(100)
                })

            try await server.start()
            #expect(
                await eventually(within: .seconds(6)) {
                    await failure { () throws(DatabaseError) in try await pool.query("select 1") } == nil
                })
            #expect(await eventually { pool.status.connected == 4 })
        }
        try await server.remove()
    }

    @Test("a pool larger than the server allows works with the connections it gets")
    func tooManyConnections() async throws {
        let server = try await PrivatePostgres.start(["max_connections=6", "superuser_reserved_connections=2"])
        try await server.sql("create role plain login")
        let name = try await server.newDatabase(owner: "plain")
        let settings = ConnectionSettings(conninfo: server.conninfo(database: name, user: "plain"))
        let pool = try ConnectionPool(.init(connection: settings, size: 8), logger: .quiet)
        #expect(await eventually { pool.status.connected == 4 })

        let answers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<200 { group.addTask { try await pool.query("select 1")[0].int(0) } }
            return try await group.reduce(0, +)
        }

        #expect(answers == 200)
        #expect(pool.status.connected == 4)
        await pool.close()
        try await server.remove()
    }

    @Test("a pool starts without its server and fails calls within the deadline")
    func absent() async throws {
        let settings = ConnectionSettings(conninfo: "host=/nonexistent dbname=nowhere")
        let pool = try ConnectionPool(
            .init(connection: settings, size: 2, checkoutDeadline: .milliseconds(100)), logger: .quiet)

        let start = ContinuousClock.now
        let error = await failure { () throws(DatabaseError) in try await pool.query("select 1") }

        #expect(error == DatabaseError(.unavailable))
        #expect(ContinuousClock.now - start < .milliseconds(1_500))
        await pool.close()
    }
}
