import PostgresClient
import TestDatabases
import TestSupport
import Testing

@Suite("Pipelines", .timeLimit(.minutes(2)))
struct PipelineTests {
    @Test("a pipeline returns the rows of each statement in order")
    func order() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()

        let rows = try await pool.run([
            Statement("create table t (n int constraint t_pkey primary key)"),
            Statement("insert into t select generate_series(1, $1)", [.int4(3)]),
            Statement("select n from t order by n"),
            Statement("select n from t order by n"),
            Statement("delete from t where n > $1", [.int4(1)]),
        ])

        #expect(rows.count == 5)
        #expect(rows.map(\.affected) == [0, 3, 3, 3, 2])
        #expect(try rows[2].map { row throws(DatabaseError) in try row.int(0) } == [1, 2, 3])
        #expect(try rows[3].map { row throws(DatabaseError) in try row.int(0) } == [1, 2, 3])
    }

    @Test("a pipeline is one transaction: an error in the third statement rolls back the first")
    func atomicity() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        try await pool.query("create table t (n int constraint t_pkey primary key)")

        let error = await failure { () throws(DatabaseError) in
            try await pool.run([
                Statement("insert into t values ($1)", [.int4(1)]),
                Statement("select count(*) from t"),
                Statement("insert into t values ($1)", [.int4(1)]),
                Statement("insert into t values ($1)", [.int4(2)]),
            ])
        }

        #expect(error?.kind == .constraint("t_pkey"))
        #expect(error?.statementIndex == 2)
        #expect(error?.sqlstate == "23505")
        #expect(error?.outcomeUnknown == false)
        #expect(try await pool.query("select count(*) from t")[0].int(0) == 0)
    }

    @Test("a constraint that is checked at the commit fails the call, and nothing is written")
    func deferredConstraint() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        try await pool.query("create table t (n int constraint t_unique unique deferrable initially deferred)")
        try await pool.query("insert into t values (1)")

        let error = await failure { () throws(DatabaseError) in
            try await pool.run([Statement("insert into t values (2)"), Statement("insert into t values (1)")])
        }

        #expect(error?.kind == .constraint("t_unique"))
        #expect(error?.statementIndex == nil)
        #expect(error?.outcomeUnknown == false)
        #expect(try await pool.query("select count(*) from t")[0].int(0) == 1)
    }

    @Test("a statement counts as prepared only once it has been parsed")
    func preparedAfterFailure() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        let good = Statement("select 1::bigint")
        let broken = Statement("select n from later")
        let after = Statement("select 2::bigint")

        for _ in 0..<2 {
            let error = await failure { () throws(DatabaseError) in try await pool.run([good, broken, after]) }
            #expect(error?.kind == .statement(sqlstate: "42P01"))
            #expect(error?.statementIndex == 1)
            #expect(error?.position == 15)
        }
        try await pool.query("create table later (n int)")

        for _ in 0..<2 {
            let rows = try await pool.run([good, broken, after])
            #expect(try rows[0][0].int(0) == 1)
            #expect(rows[1].isEmpty)
            #expect(try rows[2][0].int(0) == 2)
        }
        #expect(try await pool.query("select count(*) from pg_prepared_statements where statement like 'select%'")[0].int(0) == 4)
    }

    @Test("the same text with other parameter types is another prepared statement")
    func typesOfOneText() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()

        for _ in 0..<2 {
            #expect(try await pool.query("select $1", .text("a"))[0].text(0) == "a")
            #expect(try await pool.query("select $1", .int(7))[0].int(0) == 7)
            #expect(try await pool.query("select $1", .null(.uuid))[0].uuidOrNil(0) == nil)
        }
    }

    @Test("a text made once is prepared once, and once more for other parameter types")
    func textMadeOnce() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        let echo = SQL("select $1 as echo")

        for _ in 0..<3 {
            #expect(try await pool.run([Statement(echo, [.text("a")])])[0][0].text(0) == "a")
            #expect(try await pool.run([Statement(echo, [.int(7)])])[0][0].int(0) == 7)
        }
        #expect(try await pool.query("select count(*) from pg_prepared_statements where statement like '%as echo'")[0].int(0) == 2)
    }

    @Test("a prepared statement survives a change of the table under it")
    func stalePlan() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        try await pool.query("create table t as select 1 as a")
        #expect(try await pool.query("select * from t")[0].columnCount == 1)

        try await database.sql("alter table t add column b int")

        let again = SQL("select * from t")
        #expect(try await pool.query("select * from t")[0].columnCount == 2)
        #expect(try await pool.run([Statement(again)])[0][0].columnCount == 2)
        try await database.sql("alter table t add column c int")
        #expect(try await pool.run([Statement(again)])[0][0].columnCount == 3)
    }

    @Test("a setting made for one pipeline does not leak into the next (C4)")
    func localSetting() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()

        let rows = try await pool.run([
            Statement("select set_config('app.user_id', $1, true)", [.text("user-1")]),
            Statement("select current_setting('app.user_id', true)"),
        ])
        let next = try await pool.query("select nullif(current_setting('app.user_id', true), '')")

        #expect(try rows[1][0].text(0) == "user-1")
        #expect(try next[0].textOrNil(0) == nil)
    }

    @Test("a connection left inside a transaction is not reused")
    func openTransaction() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        let before = try await pool.query("select pg_backend_pid()")[0].int(0)

        _ = try? await pool.run([Statement("begin"), Statement("select set_config('app.user_id', 'leak', true)")])

        let rows = try await pool.query("select pg_backend_pid(), nullif(current_setting('app.user_id', true), '')")
        #expect(try rows[0].int(0) != before)
        #expect(try rows[0].textOrNil(1) == nil)
    }

    @Test("more than the socket buffers hold is sent and received at the same time")
    func large() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        let content = [UInt8](repeating: 0xA5, count: 8 << 20)

        let rows = try await pool.run((0..<4).map { _ in Statement("select $1::bytea, repeat('x', 1000000)", [.bytes(content)]) })

        for answer in rows {
            #expect(try answer[0].bytes(0) == content)
            #expect(try answer[0].text(1).utf8.count == 1_000_000)
        }
    }

    @Test("the session has the settings of its connection")
    func session() async throws {
        let database = try await TestDatabase.make()
        try await database.sql("create schema \"odd name\"")
        let pool = try ConnectionPool(
            .init(connection: database.settings(applicationName: "who", searchPath: "\"odd name\", public"), size: 1),
            logger: .quiet)

        let row = try await pool.query(
            """
            select current_setting('TimeZone'), current_setting('statement_timeout'), current_setting('client_encoding'),
                current_setting('jit'), current_setting('application_name'), current_schema(), current_setting('idle_in_transaction_session_timeout')
            """)[0]

        var patient = database.settings()
        patient.idleInTransactionTimeout = .seconds(90)
        let other = try DedicatedConnection(patient, logger: .quiet)
        defer { other.close() }
        let idle = try await other.run([Statement("select current_setting('idle_in_transaction_session_timeout')")])[0][0].text(0)
        #expect(idle == "90s")
        #expect(
            try (0..<7).map { column throws(DatabaseError) in try row.text(column) } == [
                "UTC", "5s", "UTF8", "off", "who", "odd name", "10s",
            ])
    }
}
