package import DiaryCore
package import PostgresClient

/// Reports as `diary_worker`; asked as `diary_api`.
package struct PostgresWorkerPresence: WorkerPresence {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Also removes rows of workers that ended without withdrawing.
    package func report(_ worker: WorkerIdentity, hears: Bool) async throws(DiaryError) {
        try await pool.forClient.run(
            """
            with ended as (delete from workers where seen_at < clock_timestamp() - interval '1 day' and id <> $1)
            insert into workers (id, name, version, hears) values ($1, $2, $3, $4)
            on conflict on constraint workers_pk do update set seen_at = clock_timestamp(), hears = excluded.hears
            """, [.uuid(worker.id), .text(worker.name), .text(worker.version), .bool(hears)])
    }

    package func withdraw(_ worker: WorkerIdentity) async throws(DiaryError) {
        try await pool.forClient.run("delete from workers where id = $1", [.uuid(worker.id)])
    }

    package func alive() async throws(DiaryError) -> AliveWorkers {
        let alive = try await pool.forClient.one(
            "select count(*) > 0, coalesce(bool_or(hears), false) from workers where seen_at > clock_timestamp() - make_interval(secs => $1)",
            [.double(WorkerIdentity.aliveSeconds)]
        ) { row in
            (some: try row.bool(), hearing: try row.bool())
        }
        guard let alive, alive.some else { return .gone }
        return alive.hearing ? .hearing : .deaf
    }
}
