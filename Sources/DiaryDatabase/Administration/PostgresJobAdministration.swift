package import DiaryCore
package import PostgresClient

/// What `diary jobs` shows and does: ids, kinds, states, times and codes. By the database role `diary_admin`, which may call functions but
/// not touch the jobs.
package struct PostgresJobAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Newest first.
    package func jobs(_ filter: JobFilter) async throws(DiaryError) -> [JobOverview] {
        let rows = try await run(
            """
            select tenant_id, user_id, id, slug, kind, subject, state, attempts, errors, crashes, code, run_at, lease_until, leased_by,
                created_at, finished_at
            from admin_jobs($1, $2, $3, $4, $5, $6)
            """,
            [
                .uuid(filter.job?.uuid), .uuid(filter.subject), .uuid(filter.user?.uuid), .uuid(filter.tenant?.uuid), .texts(filter.states),
                .int4(Int32(clamping: filter.limit)),
            ])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                JobOverview(
                    id: JobID(try row.uuid(2)), owner: try Owner(row), slug: try row.text(3), kind: JobKind(rawValue: try row.text(4)),
                    subject: try row.uuid(5), state: try row.text(6), attempts: Int(clamping: try row.int(7)),
                    errors: Int(clamping: try row.int(8)), crashes: Int(clamping: try row.int(9)), code: try row.textOrNil(10),
                    runAt: try row.date(11), leaseUntil: try row.dateOrNil(12), leasedBy: try row.textOrNil(13),
                    createdAt: try row.date(14), finishedAt: try row.dateOrNil(15))
            }
        }
    }

    /// One for each account with an entry of this id: clients make the ids.
    package func entries(_ id: EntryID) async throws(DiaryError) -> [EntryProgress] {
        let rows = try await run(
            """
            select tenant_id, user_id, slug, kind, status, stage, stage_attempt, stage_code, stage_next_at, created_at, uploaded_at,
                deleted_at
            from admin_entry($1)
            """, [.uuid(id.uuid)])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                EntryProgress(
                    owner: try Owner(row), slug: try row.text(2), kind: try row.known(3), status: try row.known(4),
                    stage: try row.textOrNil(5), attempt: Int(clamping: try row.int(6)), code: try row.textOrNil(7),
                    nextAttemptAt: try row.dateOrNil(8), createdAt: try row.date(9), uploadedAt: try row.dateOrNil(10),
                    deletedAt: try row.dateOrNil(11))
            }
        }
    }

    package func counts() async throws(DiaryError) -> [JobCount] {
        let rows = try await run("select kind, state, jobs, due, oldest_due from admin_job_counts()", [])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                JobCount(
                    kind: JobKind(rawValue: try row.text(0)), state: try row.text(1), jobs: Int(clamping: try row.int(2)),
                    due: Int(clamping: try row.int(3)), oldestDue: try row.dateOrNil(4))
            }
        }
    }

    /// By name, also those that ended within the last day without withdrawing their report.
    package func workers() async throws(DiaryError) -> [WorkerOverview] {
        let rows = try await run(
            """
            select name, version, started_at, seen_at, seen_at > clock_timestamp() - make_interval(secs => $1)
            from workers order by name, started_at
            """, [.double(WorkerIdentity.aliveSeconds)])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                WorkerOverview(
                    name: try row.text(0), version: try row.text(1), startedAt: try row.date(2), seenAt: try row.date(3),
                    isAlive: try row.bool(4))
            }
        }
    }

    /// Entries that wait without a job, for a minute or more. The sweeper mends them.
    package func stranded() async throws(DiaryError) -> Int {
        let rows = try await run("select admin_stranded()", [])
        return try decoding { () throws(DatabaseError) in Int(clamping: try rows.first?.int(0) ?? 0) }
    }

    /// Workers take no new jobs of the queue, of one app or (nil) of all; what they have they finish. Holds for their next claims.
    /// - Returns: false when it was held already.
    package func pause(_ queue: QueueName, of tenant: TenantID?, by operator: String) async throws(DiaryError) -> Bool {
        try await hold("select admin_pause_work($1, $2, $3)", queue, tenant, `operator`)
    }

    /// - Returns: false when it was not held.
    package func resume(_ queue: QueueName, of tenant: TenantID?, by operator: String) async throws(DiaryError) -> Bool {
        try await hold("select admin_resume_work($1, $2, $3)", queue, tenant, `operator`)
    }

    private func hold(_ sql: String, _ queue: QueueName, _ tenant: TenantID?, _ operator: String) async throws(DiaryError) -> Bool {
        let rows = try await run(sql, [.text(queue.rawValue), .uuid(tenant?.uuid), .text(`operator`)])
        return try decoding { () throws(DatabaseError) in try rows.first?.bool(0) ?? false }
    }

    package func paused() async throws(DiaryError) -> [PausedWork] {
        let rows = try await run("select queue, slug, at, operator from admin_paused_work()", [])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                PausedWork(
                    queue: QueueName(rawValue: try row.text(0)), slug: try row.textOrNil(1), at: try row.date(2), operator: try row.text(3))
            }
        }
    }

    /// Makes jobs that have failed permanently ready again, with their entries and exports: a page in the order of ids.
    package func retry(
        _ filter: RetryFilter, after: JobID?, limit: Int, by operator: String
    ) async throws(DiaryError) -> [RetriedJob] {
        let catalogue = JobCatalogue.diary
        let stages = catalogue.stages
        let rows = try await run(
            "select id, kind, again from admin_retry_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .uuid(filter.job?.uuid), .text(filter.code), .uuid(filter.tenant?.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit)),
                .texts(stages.map(\.rawValue)), .texts(stages.compactMap { catalogue.stage($0)?.waiting.rawValue }),
                .texts(stages.compactMap { catalogue.stage($0)?.running.rawValue }),
                .texts(catalogue.descriptors.filter { $0.subject == .export }.map(\.kind.rawValue)), .text(`operator`),
            ])
        return try Self.retried(rows)
    }

    /// Lets jobs that wait for a later time run now, and shows that in their entries: a page in the order of ids. Tries stay as counted.
    package func hasten(
        _ filter: RetryFilter, after: JobID?, limit: Int, by operator: String
    ) async throws(DiaryError) -> [RetriedJob] {
        let rows = try await run(
            "select id, kind, again from admin_hasten_jobs($1, $2, $3, $4, $5, $6, $7)",
            [
                .uuid(filter.job?.uuid), .text(filter.code), .uuid(filter.tenant?.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit)),
                .texts(JobCatalogue.diary.stages.map(\.rawValue)), .text(`operator`),
            ])
        return try Self.retried(rows)
    }

    private static func retried(_ rows: Rows) throws(DiaryError) -> [RetriedJob] {
        try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in
                RetriedJob(id: JobID(try row.uuid(0)), kind: JobKind(rawValue: try row.text(1)), isReady: try row.bool(2))
            }
        }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
