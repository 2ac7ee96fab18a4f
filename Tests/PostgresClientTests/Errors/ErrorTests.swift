import PostgresClient
import TestDatabases
import TestSupport
import Testing

@Suite("Database errors", .timeLimit(.minutes(2)))
struct ErrorTests {
    @Test("an error names the constraint and never the value")
    func noValues() async throws {
        let pool = try await TestDatabase.make().pool()
        let canary = "canary-7f3a"
        try await pool.query(
            "create table t (w text constraint t_word_key unique constraint t_word_short check (length(w) < 20), x int not null default 1)")
        try await pool.query("insert into t (w) values ($1)", .text(canary))

        let errors = [
            await failure { () throws(DatabaseError) in try await pool.query("insert into t (w) values ($1)", .text(canary)) },
            await failure { () throws(DatabaseError) in
                try await pool.query("insert into t (w) values ($1)", .text(canary + "aaaaaaaaaaaaaaaa"))
            },
            await failure { () throws(DatabaseError) in try await pool.query("insert into t (w, x) values ($1, null)", .text(canary + "b"))
            },
            await failure { () throws(DatabaseError) in try await pool.query("select $1::text::int", .text(canary)) },
            await failure { () throws(DatabaseError) in
                try await pool.query("select $1::text as \"canary-7f3a\" from nowhere", .text(canary))
            },
        ]

        #expect(
            errors.map { $0?.kind } == [
                .constraint("t_word_key"), .constraint("t_word_short"), .constraint("t_x_not_null"), .statement(sqlstate: "22P02"),
                .statement(sqlstate: "42P01"),
            ])
        for error in errors {
            let error = try #require(error)
            #expect(!"\(error)".contains("canary"))
            #expect(!String(reflecting: error).contains("canary"))
            #expect(!error.retryable)
        }
        #expect("\(try #require(errors[0]))" == "constraint t_word_key [23505], statement 0")
    }

    @Test("a SQLSTATE of the application's class is a kind of its own")
    func raised() async throws {
        let pool = try await TestDatabase.make().pool()
        try await pool.query(
            "create function refuse() returns void language plpgsql as $$ begin raise exception 'secret' using errcode = 'DI401'; end $$")

        let error = await failure { () throws(DatabaseError) in
            try await pool.run([Statement("select 1"), Statement("select refuse()"), Statement("select 2")])
        }

        #expect(error?.kind == .raised(code: "DI401"))
        #expect(error?.statementIndex == 1)
        #expect("\(try #require(error))" == "raised DI401 [DI401], statement 1")
    }

    @Test("a conflict of two transactions is a retryable error")
    func serialization() async throws {
        let pool = try await TestDatabase.make().pool()
        for code in ["40001", "40P01"] {
            try await pool.query(
                "create or replace function meet() returns void language plpgsql as $$ begin raise exception using errcode = '\(code)'; end $$"
            )

            let error = await failure { () throws(DatabaseError) in try await pool.query("select meet()") }

            #expect(error?.kind == .serialization)
            #expect(error?.retryable == true)
        }
    }

    @Test("a connection string that does not parse is refused at once, and the error does not quote it")
    func configuration() {
        #expect(throws: DatabaseError(.configuration)) {
            try ConnectionPool(.init(connection: .init(conninfo: "host=/tmp password")), logger: .quiet)
        }
    }
}
