import FoundationEssentials
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@Suite("Cancelled calls", .timeLimit(.minutes(3)))
struct CancellationTests {
    @Test("a cancelled call ends at once, its statement ends on the server, and the next thousand calls see a clean state (C4)")
    func midQuery() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(statementTimeout: .seconds(60), applicationName: "cancelled")
        let sleeping =
            "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(50)%' and application_name = 'cancelled' and datname = '\(database.name)'"

        let task = Task {
            await failure { () throws(DatabaseError) in
                try await pool.run([
                    Statement("select set_config('app.user_id', 'leak', true)"), Statement("select pg_sleep(50)"),
                ])
            }
        }
        #expect(try await eventually { try await database.sql(sleeping) == "1" })
        let start = ContinuousClock.now
        task.cancel()
        let error = await task.value

        #expect(error?.kind == .cancelled)
        #expect(error?.outcomeUnknown == true)
        #expect(ContinuousClock.now - start < .seconds(1))
        for _ in 0..<1_000 {
            let row = try await pool.query("select nullif(current_setting('app.user_id', true), '')")[0]
            #expect(try row.textOrNil(0) == nil)
        }
        #expect(try await eventually { try await database.sql(sleeping) == "0" })
    }

    @Test("a call cancelled while it waits never reaches the server")
    func whileWaiting() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(checkoutDeadline: .seconds(60), statementTimeout: .seconds(60))
        let barrier = try await Barrier.raise(in: database)
        try await pool.query("create table t (n int)")

        async let running = pool.run([Barrier.statement])
        #expect(await eventually { pool.status.busy == 1 })
        let waiting = Task { await failure { () throws(DatabaseError) in try await pool.query("insert into t values (1)") } }
        #expect(await eventually { pool.status.waiting == 1 })
        waiting.cancel()

        #expect(await waiting.value == DatabaseError(.cancelled))
        barrier.lower()
        _ = try await running
        #expect(try await pool.query("select count(*) from t")[0].int(0) == 0)
    }

    @Test("a call of a task that is already cancelled fails")
    func before() async throws {
        let pool = try await TestDatabase.make().pool()

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () throws(DatabaseError) in try await pool.query("select 1") }
        }

        #expect(await task.value?.kind == .cancelled)
    }

    @Test("no mix of cancels, errors and successes shows one caller another's setting (C4)")
    func mixed() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool(size: 4, checkoutDeadline: .seconds(60))

        let leaks = await withTaskGroup(of: Int.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    let user = UUID().uuidString
                    let call = Task {
                        try await pool.run([
                            Statement("select nullif(current_setting('app.user_id', true), '')"),
                            Statement("select set_config('app.user_id', $1, true)", [.text(user)]),
                            Statement(number % 5 == 1 ? "select 1 / (select 0)" : "select pg_sleep(0.0005)"),
                            Statement("select current_setting('app.user_id')"),
                        ])
                    }
                    if number % 7 == 0 { call.cancel() }
                    if number % 11 == 0 {
                        try? await Task.sleep(for: .microseconds(number % 1_500))
                        call.cancel()
                    }
                    guard let rows = try? await call.value else { return 0 }
                    let (before, after) = (try? rows[0][0].textOrNil(0), try? rows[3][0].text(0))
                    return before == .some(nil) && after == user ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }

        #expect(leaks == 0)
        #expect(await eventually { pool.status.connected == 4 && pool.status.waiting == 0 })
        #expect(try await pool.query("select nullif(current_setting('app.user_id', true), '')")[0].textOrNil(0) == nil)
    }
}
