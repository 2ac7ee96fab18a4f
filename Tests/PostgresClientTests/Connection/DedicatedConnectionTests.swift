import PostgresClient
import TestDatabases
import TestSupport
import Testing

@Suite("Dedicated connection", .timeLimit(.minutes(2)))
struct DedicatedConnectionTests {
    @Test("a script's transaction stays open for the calls after it")
    func transaction() async throws {
        let database = try await TestDatabase.make()
        let session = try DedicatedConnection(database.settings(), logger: .quiet)

        try await session.runScript("create table t (n int)")
        try await session.runScript("begin; insert into t values (1)")
        let inside = try await session.run([Statement("select count(*) from t")])
        try await session.runScript("rollback")
        let after = try await session.run([Statement("select count(*) from t")])

        #expect(try inside[0][0].int(0) == 1)
        #expect(try after[0][0].int(0) == 0)
    }

    @Test("a script that fails gives the position, writes nothing, and leaves the session usable")
    func scriptError() async throws {
        let database = try await TestDatabase.make()
        let session = try DedicatedConnection(database.settings(), logger: .quiet)

        let error = await failure { () throws(DatabaseError) in try await session.runScript("create table t (n int);\nselect wrong from t;")
        }

        #expect(error?.kind == .statement(sqlstate: "42703"))
        #expect(error?.position == 32)
        #expect(try await session.run([Statement("select to_regclass('t') is null")])[0][0].bool(0))
    }

    @Test("after the connection is lost every call fails, because the session's locks are lost too")
    func lost() async throws {
        let database = try await TestDatabase.make()
        let session = try DedicatedConnection(database.settings(), logger: .quiet)
        let pid = try await session.run([Statement("select pg_backend_pid()")])[0][0].int(0)

        try await database.sql("select pg_terminate_backend(\(pid))")

        let first = await failure { () throws(DatabaseError) in try await session.run([Statement("select 1")]) }
        let second = await failure { () throws(DatabaseError) in try await session.runScript("select 1") }
        #expect(first?.kind == .unavailable)
        #expect(second?.kind == .unavailable)
        session.close()
        #expect(await failure { () throws(DatabaseError) in try await session.run([Statement("select 1")]) } == DatabaseError(.closed))
    }
}
