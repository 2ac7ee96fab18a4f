package import DiaryCore
import PostgresClient

/// Reports as `diary_worker`; asked as `diary_api`.
package struct PostgresWorkerPresence: WorkerPresence {
    let pool: ConnectionPool

    /// Also removes rows of workers that ended without withdrawing.
    package func report(_ worker: WorkerIdentity) async throws(DiaryError) {
        _ = try await run(
            """
            with ended as (delete from workers where seen_at < clock_timestamp() - interval '1 day' and id <> $1)
            insert into workers (id, name, version) values ($1, $2, $3)
            on conflict on constraint workers_pk do update set seen_at = clock_timestamp()
            """, [.uuid(worker.id), .text(worker.name), .text(worker.version)])
    }

    package func withdraw(_ worker: WorkerIdentity) async throws(DiaryError) {
        _ = try await run("delete from workers where id = $1", [.uuid(worker.id)])
    }

    package func isAnyAlive() async throws(DiaryError) -> Bool {
        let rows = try await run(
            "select exists (select from workers where seen_at > clock_timestamp() - make_interval(secs => $1))",
            [.double(WorkerIdentity.aliveSeconds)])
        return try decoding { () throws(DatabaseError) in try rows.first?.bool(0) ?? false }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
