package import DiaryCore
package import PostgresClient

/// What `diary jobs` shows and does: ids, kinds, states, times and codes. By the database role `diary_admin`, which may call functions but
/// not touch the jobs.
package struct PostgresJobAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Newest first.
    package func jobs(_ filter: JobFilter) async throws(DiaryError) -> [JobOverview] {
        try await pool.forClient.all(
            """
            select id, tenant_id, user_id, slug, kind, subject, state, attempts, errors, crashes, code, run_at, lease_until, leased_by,
                created_at, finished_at
            from admin_jobs($1, $2, $3, $4, $5, $6)
            """,
            [
                .uuid(filter.job?.uuid), .uuid(filter.subject), .uuid(filter.user?.uuid), .uuid(filter.tenant?.uuid), .texts(filter.states),
                .int4(Int32(clamping: filter.limit)),
            ]
        ) { row in
            JobOverview(
                id: JobID(try row.uuid()), owner: try Owner(&row), slug: try row.text(), kind: JobKind(rawValue: try row.text()),
                subject: try row.uuid(), state: try row.text(), attempts: try row.count(), errors: try row.count(),
                crashes: try row.count(), code: try row.textOrNil(), runAt: try row.date(), leaseUntil: try row.dateOrNil(),
                leasedBy: try row.textOrNil(), createdAt: try row.date(), finishedAt: try row.dateOrNil())
        }
    }

    /// One for each account with an entry of this id: clients make the ids.
    package func entries(_ id: EntryID) async throws(DiaryError) -> [EntryProgress] {
        try await pool.forClient.all(
            """
            select tenant_id, user_id, slug, kind, status, stage, stage_attempt, stage_code, stage_next_at, created_at, uploaded_at,
                deleted_at
            from admin_entry($1)
            """, [.uuid(id.uuid)]
        ) { row in
            EntryProgress(
                owner: try Owner(&row), slug: try row.text(), kind: try row.known(), status: try row.known(),
                stage: try row.textOrNil(), attempt: try row.count(), code: try row.textOrNil(), nextAttemptAt: try row.dateOrNil(),
                createdAt: try row.date(), uploadedAt: try row.dateOrNil(), deletedAt: try row.dateOrNil())
        }
    }

    package func counts() async throws(DiaryError) -> [JobCount] {
        try await pool.forClient.all("select kind, state, jobs, due, oldest_due from admin_job_counts()") { row in
            JobCount(
                kind: JobKind(rawValue: try row.text()), state: try row.text(), jobs: try row.count(), due: try row.count(),
                oldestDue: try row.dateOrNil())
        }
    }

    /// By name, also those that ended within the last day without withdrawing their report.
    package func workers() async throws(DiaryError) -> [WorkerOverview] {
        try await pool.forClient.all(
            """
            select name, version, started_at, seen_at, seen_at > clock_timestamp() - make_interval(secs => $1)
            from workers order by name, started_at
            """, [.double(WorkerIdentity.aliveSeconds)]
        ) { row in
            WorkerOverview(
                name: try row.text(), version: try row.text(), startedAt: try row.date(), seenAt: try row.date(),
                isAlive: try row.bool())
        }
    }

    /// Entries that wait without a job, for a minute or more. The sweeper mends them.
    package func stranded() async throws(DiaryError) -> Int {
        try await pool.forClient.one("select admin_stranded()") { try $0.count() } ?? 0
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
        try await pool.forClient.one(sql, [.text(queue.rawValue), .uuid(tenant?.uuid), .text(`operator`)]) { try $0.bool() } ?? false
    }

    package func paused() async throws(DiaryError) -> [PausedWork] {
        try await pool.forClient.all("select queue, slug, at, operator from admin_paused_work()") { row in
            PausedWork(
                queue: QueueName(rawValue: try row.text()), slug: try row.textOrNil(), at: try row.date(), operator: try row.text())
        }
    }

    /// Makes jobs that have failed permanently ready again, with their entries and exports: a page in the order of ids.
    package func retry(
        _ filter: RetryFilter, after: JobID?, limit: Int, by operator: String
    ) async throws(DiaryError) -> [RetriedJob] {
        let catalogue = JobCatalogue.diary
        let stages = catalogue.stages
        return try await pool.forClient.all(
            "select id, kind, again from admin_retry_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .uuid(filter.job?.uuid), .text(filter.code), .uuid(filter.tenant?.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit)),
                .texts(stages.map(\.rawValue)), .texts(stages.compactMap { catalogue.stage($0)?.waiting.rawValue }),
                .texts(stages.compactMap { catalogue.stage($0)?.running.rawValue }),
                .texts(catalogue.descriptors.filter { $0.subject == .export }.map(\.kind.rawValue)), .text(`operator`),
            ]
        ) { try RetriedJob(&$0) }
    }

    /// Lets jobs that wait for a later time run now, and shows that in their entries: a page in the order of ids. Tries stay as counted.
    package func hasten(
        _ filter: RetryFilter, after: JobID?, limit: Int, by operator: String
    ) async throws(DiaryError) -> [RetriedJob] {
        try await pool.forClient.all(
            "select id, kind, again from admin_hasten_jobs($1, $2, $3, $4, $5, $6, $7)",
            [
                .uuid(filter.job?.uuid), .text(filter.code), .uuid(filter.tenant?.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit)),
                .texts(JobCatalogue.diary.stages.map(\.rawValue)), .text(`operator`),
            ]
        ) { try RetriedJob(&$0) }
    }
}

extension RetriedJob {
    fileprivate init(_ row: inout Row) throws(DatabaseError) {
        self.init(id: JobID(try row.uuid()), kind: JobKind(rawValue: try row.text()), isReady: try row.bool())
    }
}
