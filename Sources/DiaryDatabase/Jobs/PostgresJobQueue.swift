package import DiaryCore
package import PostgresClient

/// The queue of jobs, by the database role `diary_worker`. `lease_until is not null` says what `state = 'leased'` does (jobs_lease), and leaves
/// the planner no index but that of the key (`finish_job` in 0005_jobs.sql).
package struct PostgresJobQueue: JobQueue {
    let pool: ConnectionPool
    let jobs: JobTransaction

    package init(pool: ConnectionPool, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, catalogue: JobCatalogue = .diary) {
        pool = transaction.pool
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
    }

    package func claim(_ claim: JobClaim) async throws(WorkError) -> [LeasedJob] {
        let corrections = Statement(
            "select charge_queue($1, $2, $3, $4, array(select ms / 1000.0::float8 from unnest($5::bigint[]) ms))",
            [
                .text(claim.queue.rawValue), .bool(claim.isLong), .uuids(claim.corrections.map(\.owner.tenant.uuid)),
                .uuids(claim.corrections.map(\.owner.user.uuid)), .ints(claim.corrections.map(\.milliseconds)),
            ])
        let jobs = Statement(
            "select \(LeasedJob.columns) from claim_jobs($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .text(claim.queue.rawValue), .texts(claim.kinds.map(\.rawValue)), .bool(claim.isLong),
                .int4(Int32(clamping: claim.limit)),
                .text(claim.worker), .double(claim.leaseSeconds), .int4(Int32(clamping: claim.accountMost)),
                .int4(Int32(clamping: claim.heavyMost)),
            ])
        return try await pool.forWorker.run(claim.corrections.isEmpty ? [jobs] : [corrections, jobs]) { rows in
            try rows[rows.count - 1].all { try LeasedJob(&$0) }
        }
    }

    package func renew(
        _ jobs: [LeasedJob], progress: [JobID: Int], leaseSeconds: Double
    ) async throws(WorkError) -> Set<JobID> {
        let renewed = try await pool.forWorker.all(
            """
            update jobs j set lease_until = clock_timestamp() + make_interval(secs => $3), progress = nullif(held.progress, -1)
            from unnest($1::uuid[], $2::bigint[], $4::bigint[]) as held (id, attempt, progress)
            where j.id = held.id and j.attempt = held.attempt and j.lease_until is not null returning j.id
            """,
            [
                .uuids(jobs.map(\.id.uuid)), .ints(jobs.map { Int64($0.attempt) }), .double(leaseSeconds),
                .ints(jobs.map { progress[$0.id].map { Int64(min(max($0, 0), 100)) } ?? -1 }),
            ]
        ) { JobID(try $0.uuid()) }
        return Set(renewed)
    }

    package func release(_ jobs: [LeasedJob]) async throws(WorkError) {
        try await pool.forWorker.run(
            """
            update jobs j set state = 'ready', progress = null, lease_until = null, leased_by = null, run_at = clock_timestamp()
            from unnest($1::uuid[], $2::bigint[]) as held (id, attempt)
            where j.id = held.id and j.attempt = held.attempt and j.lease_until is not null
            """, [.uuids(jobs.map(\.id.uuid)), .ints(jobs.map { Int64($0.attempt) })])
    }

    package func release(_ job: LeasedJob, cost: Double) async throws(WorkError) {
        try await pool.forWorker.run(
            """
            update jobs set state = 'ready', progress = null, lease_until = null, leased_by = null, run_at = clock_timestamp(), cost = $3
            where id = $1 and attempt = $2 and lease_until is not null
            """, job.fence + [.double(cost)])
    }

    package func retry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        try await again(job, counting: 1, code: code, afterSeconds: afterSeconds)
    }

    package func postpone(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        try await again(job, counting: 0, code: code, afterSeconds: afterSeconds)
    }

    private func again(_ job: LeasedJob, counting tries: Int64, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        let again = Statement(
            """
            update jobs set state = 'ready', errors = errors + $5, code = $3, progress = null, lease_until = null, leased_by = null,
                run_at = clock_timestamp() + make_interval(secs => $4)
            where id = $1 and attempt = $2
            """, job.fence + [.text(code.rawValue), .double(afterSeconds), .int4(Int32(clamping: tries))])
        let marks = jobs.catalogue[job.kind]?.subject.marks(retrying: job, code: code, afterSeconds: afterSeconds) ?? []
        try await jobs.held(job, [again] + marks)
    }

    package func discard(_ job: LeasedJob, code: ProcessingCode) async throws(WorkError) {
        var statements = discarding(job, code: code)
        // The consent may have been given since the job asked for it.
        if code == .consentRequired { statements.append(ConsentedEntries.queueing(EntryID(job.subject), of: job.owner)) }
        try await jobs.held(job, statements)
    }

    /// The dead letter, and what its owner sees of it.
    private func discarding(_ job: LeasedJob, code: ProcessingCode) -> [Statement] {
        let letter = Statement(
            """
            update jobs set state = 'dead', code = $3, lease_until = null, leased_by = null, finished_at = clock_timestamp()
            where id = $1 and attempt = $2
            """, job.fence + [.text(code.rawValue)])
        return [letter] + (jobs.catalogue[job.kind]?.subject.marks(discarding: job, code: code) ?? [])
    }

    package func rescue(limit: Int, maxCrashes: Int) async throws(WorkError) -> [JobKind] {
        var kinds: [JobKind] = []
        for job in try await lost(limit: limit) {
            do { try Failpoint.rescueBetween.hit() } catch { throw DatabaseError(.cancelled).forWorker }
            let isLast = job.crashes + 1 >= maxCrashes
            do throws(WorkError) {
                try await jobs.expired(job).run(isLast ? crashed(job) + discarding(job, code: .crashed) : [again(job)])
            } catch .leaseLost, .ownerGone {
                continue
            }
            if !isLast { kinds.append(job.kind) }
        }
        return kinds
    }

    private func lost(limit: Int) async throws(WorkError) -> [LeasedJob] {
        try await pool.forWorker.all(
            """
            select \(LeasedJob.columns) from jobs where state = 'leased' and lease_until < clock_timestamp() and kind = any ($2)
            order by lease_until limit $1
            """, [.int(limit), .texts(jobs.catalogue.kinds.map(\.rawValue))]
        ) { try LeasedJob(&$0) }
    }

    private func crashed(_ job: LeasedJob) -> [Statement] {
        [Statement("update jobs set crashes = crashes + 1 where id = $1 and attempt = $2", job.fence)]
    }

    private func again(_ job: LeasedJob) -> Statement {
        Statement(
            """
            update jobs set state = 'ready', crashes = crashes + 1, progress = null, lease_until = null, leased_by = null, run_at = clock_timestamp()
            where id = $1 and attempt = $2
            """, job.fence)
    }
}

extension LeasedJob {
    static let columns = "id, tenant_id, user_id, kind, subject, attempt, errors, crashes, cost::float8"

    /// Decodes kinds of other versions, too.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: JobID(try row.uuid()), owner: try Owner(&row), kind: JobKind(rawValue: try row.text()), subject: try row.uuid(),
            attempt: try row.count(), errors: try row.count(), crashes: try row.count(), cost: try row.double())
    }

    /// `$1` and `$2` of a fenced statement.
    var fence: [Parameter] { [.uuid(id.uuid), .int4(Int32(clamping: attempt))] }
}
