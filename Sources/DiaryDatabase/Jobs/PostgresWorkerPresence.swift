package import DiaryCore
package import PostgresClient

/// Reports as `diary_worker`; asked as `diary_api`.
package struct PostgresWorkerPresence: WorkerPresence {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Also removes rows of workers that ended without withdrawing.
    package func report(_ worker: WorkerIdentity, hears: Bool) async throws(DiaryError) {
        _ = try await run(
            """
            with ended as (delete from workers where seen_at < clock_timestamp() - interval '1 day' and id <> $1)
            insert into workers (id, name, version, hears) values ($1, $2, $3, $4)
            on conflict on constraint workers_pk do update set seen_at = clock_timestamp(), hears = excluded.hears
            """, [.uuid(worker.id), .text(worker.name), .text(worker.version), .bool(hears)])
    }

    package func withdraw(_ worker: WorkerIdentity) async throws(DiaryError) {
        _ = try await run("delete from workers where id = $1", [.uuid(worker.id)])
    }

    package func alive() async throws(DiaryError) -> AliveWorkers {
        let rows = try await run(
            "select count(*) > 0, coalesce(bool_or(hears), false) from workers where seen_at > clock_timestamp() - make_interval(secs => $1)",
            [.double(WorkerIdentity.aliveSeconds)])
        return try decoding { () throws(DatabaseError) in
            guard let row = rows.first, try row.bool(0) else { return .gone }
            return try row.bool(1) ? .hearing : .deaf
        }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
