import DiaryCore
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

extension WorkerFixture {
    /// Runs a member's request and blocks it where it reads `table`, after that statement's snapshot was taken; `body` runs meanwhile.
    func holding<Outcome: Sendable>(
        at table: String, condition: String, _ asked: @escaping @Sendable () async throws -> Outcome, _ body: () async throws -> Void
    ) async throws -> Outcome {
        try await database.change(
            """
            create function gate() returns boolean language plpgsql volatile as $$
            begin perform pg_advisory_xact_lock_shared(17); return true; end $$
            """)
        try await database.change("grant execute on function gate() to diary_api")
        try await database.change("alter policy \(table)_api on \(table) using (\(condition) and gate())")
        let holder = try DedicatedConnection(database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("select pg_advisory_lock(17)")])
        async let outcome = asked()
        // Locks of the whole server are seen here, other tests' too.
        let waiting = """
            select count(*) from pg_locks where locktype = 'advisory' and not granted
                and database = (select oid from pg_database where datname = current_database())
            """
        try await someone(isCountedBy: waiting)
        try await body()
        _ = try await holder.run([Statement("select pg_advisory_unlock(17)")])
        return try await outcome
    }

    /// Waits until a count of waiting sessions is not 0.
    func someone(isCountedBy waiting: String) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await database.int(waiting) == 0 {
            guard ContinuousClock.now < deadline else { throw NotWhatWasExpected() }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
