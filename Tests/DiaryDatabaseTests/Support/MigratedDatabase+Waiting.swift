import PostgresClient
import TestSupport

@testable import DiaryDatabase

extension MigratedDatabase {
    /// A session with an open transaction in which a statement was run.
    func holding(_ statement: Statement) async throws -> DedicatedConnection {
        let holder = try DedicatedConnection(settings(.superuser), logger: .quiet)
        _ = try await holder.run([Statement("begin"), statement])
        return holder
    }

    /// Until a session waits for a lock that `holder` has.
    func untilBlocked(by holder: DedicatedConnection) async throws {
        guard let id = try await holder.run([Statement("select pg_backend_pid()")]).first(0)?.int(0) else { throw NotWhatWasExpected() }
        try await until(within: .seconds(20)) {
            try await int(
                "select count(*) from pg_stat_activity w where w.datname = current_database() and $1 = any (pg_blocking_pids(w.pid))",
                .int4(Int32(clamping: id))) > 0
        }
    }
}
