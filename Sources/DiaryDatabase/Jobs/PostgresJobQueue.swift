package import DiaryCore
import FoundationEssentials
package import Logging

/// Jobs and their results as `diary_worker`. Lock order everywhere: the user's `user_sync` row, then `jobs`.
package struct PostgresWorkStore: WorkStore {
    let pool: ConnectionPool
    let transaction: OwnerTransaction
    /// For the export's snapshot, which needs one session throughout.
    let snapshot: ConnectionSettings
    let logger: Logger

    package init(pool: ConnectionPool, snapshot: ConnectionSettings, logger: Logger) {
        self.init(transaction: OwnerTransaction(pool: pool), snapshot: snapshot, logger: logger)
    }

    init(transaction: OwnerTransaction, snapshot: ConnectionSettings, logger: Logger) {
        pool = transaction.pool
        self.transaction = transaction
        self.snapshot = snapshot
        self.logger = logger
    }

    package func claim(_ kinds: [JobKind], limit: Int, worker: String, leaseSeconds: Double) async throws(WorkError) -> [LeasedJob] {
        do {
            let rows = try await pool.run([
                // The connections of one worker see each other's claims: each statement has its own snapshot.
                Statement("select pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(worker)]),
                Statement(
                    """
                    with suspect as (
                        -- It may have ended its process: one at a time for each worker, so that no other job dies with it twice (A13).
                        select id from jobs where state = 'ready' and kind = any ($1) and run_at <= clock_timestamp() and crashes > 0
                            and not exists (select from jobs h where h.state = 'leased' and h.leased_by = $3 and h.crashes > 0)
                        order by run_at limit 1 for update skip locked),
                    fresh as (
                        select id from jobs where state = 'ready' and kind = any ($1) and run_at <= clock_timestamp() and crashes = 0
                        order by run_at limit $2::bigint - (select count(*) from suspect) for update skip locked)
                    update jobs set state = 'leased', attempt = attempt + 1, leased_by = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
                    where id in (select id from suspect union all select id from fresh)
                    returning \(LeasedJob.columns)
                    """, [.texts(kinds.map(\.rawValue)), .int(limit), .text(worker), .double(leaseSeconds)]),
            ])
            return try rows[1].map { row throws(DatabaseError) in try LeasedJob(row) }
        } catch {
            throw error.forWorker
        }
    }

    package func renew(_ jobs: [LeasedJob], leaseSeconds: Double) async throws(WorkError) -> Set<JobID> {
        do {
            let rows = try await pool.run([
                Statement(
                    """
                    update jobs j set lease_until = clock_timestamp() + make_interval(secs => $3)
                    from unnest($1::uuid[], $2::bigint[]) as held (id, attempt)
                    where j.id = held.id and j.attempt = held.attempt and j.state = 'leased' returning j.id
                    """, [.uuids(jobs.map(\.id.uuid)), .ints(jobs.map { Int64($0.attempt) }), .double(leaseSeconds)])
            ])
            return Set(try rows[0].map { row throws(DatabaseError) in JobID(try row.uuid(0)) })
        } catch {
            throw error.forWorker
        }
    }

    package func release(_ jobs: [LeasedJob]) async throws(WorkError) {
        do {
            _ = try await pool.run([
                Statement(
                    """
                    update jobs j set state = 'ready', lease_until = null, leased_by = null, run_at = clock_timestamp()
                    from unnest($1::uuid[], $2::bigint[]) as held (id, attempt)
                    where j.id = held.id and j.attempt = held.attempt and j.state = 'leased'
                    """, [.uuids(jobs.map(\.id.uuid)), .ints(jobs.map { Int64($0.attempt) })])
            ])
        } catch {
            throw error.forWorker
        }
    }

    package func retry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) async throws(WorkError) {
        _ = try await held(
            job,
            [
                Statement(
                    """
                    update jobs set state = 'ready', errors = errors + 1, code = $3, lease_until = null, leased_by = null,
                        run_at = clock_timestamp() + make_interval(secs => $4)
                    where id = $1 and attempt = $2
                    """, job.fence + [.text(code.rawValue), .double(afterSeconds)]),
                Statement(
                    """
                    update entries e set stage_code = $4, stage_next_at = clock_timestamp() + make_interval(secs => $5), stage_attempt = $6,
                        updated_at = clock_timestamp(), change_number = s.change_number
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    """,
                    job.owner.parameters + [
                        .uuid(job.subject), .text(code.rawValue), .double(afterSeconds), .int4(Int32(clamping: job.errors + 1)),
                    ]),
            ])
    }

    package func bury(_ job: LeasedJob, code: ProcessingCode) async throws(WorkError) {
        _ = try await held(job, Self.burial(job, code: code))
    }

    /// The dead letter and what its owner sees of it.
    private static func burial(_ job: LeasedJob, code: ProcessingCode) -> [Statement] {
        let named = job.owner.parameters + [.uuid(job.subject), .text(code.rawValue)]
        var statements = [
            Statement(
                "update jobs set state = 'dead', code = $3, lease_until = null, leased_by = null, finished_at = clock_timestamp() where id = $1 and attempt = $2",
                job.fence + [.text(code.rawValue)])
        ]
        switch job.kind {
        case .verify, .transcribe, .clean:
            statements.append(
                Statement(
                    """
                    update entries e set status = 'failed', stage = $5, stage_code = $4, stage_next_at = null, updated_at = clock_timestamp(),
                        change_number = s.change_number
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    """, named + [.text(job.kind.rawValue)]))
        case .export:
            statements.append(
                Statement("update exports set status = 'failed', code = $4 where tenant_id = $1 and user_id = $2 and id = $3", named))
        case .mail:
            statements.append(
                Statement(
                    """
                    with failed as (
                        update mails set status = 'failed', payload = '', address_sealed = null
                        where tenant_id = $1 and user_id = $2 and id = $3 returning subject)
                    update exports x set mail_status = 'failed', code = $4 from failed f where x.tenant_id = $1 and x.user_id = $2 and x.id = f.subject
                    """, named))
        }
        return statements
    }

    package func rescue(limit: Int, maxCrashes: Int) async throws(WorkError) -> [JobKind] {
        var kinds: [JobKind] = []
        do {
            let rows = try await pool.run([
                Statement(
                    "select \(LeasedJob.columns) from jobs where state = 'leased' and lease_until < clock_timestamp() order by lease_until limit $1",
                    [.int(limit)])
            ])
            let lost = try rows[0].map { row throws(DatabaseError) in try LeasedJob(row) }
            for job in lost {
                do { try Failpoint.rescueBetween.hit() } catch { throw DatabaseError(.cancelled) }
                if job.crashes + 1 >= maxCrashes {
                    let buried = [Statement("update jobs set crashes = crashes + 1 where id = $1 and attempt = $2", job.fence)]
                    do throws(WorkError) { _ = try await expired(job, buried + Self.burial(job, code: .crashed)) } catch .leaseLost,
                        .ownerGone
                    { continue }
                } else {
                    let again = Statement(
                        """
                        update jobs set state = 'ready', crashes = crashes + 1, lease_until = null, leased_by = null, run_at = clock_timestamp()
                        where id = $1 and attempt = $2
                        """, job.fence)
                    do throws(WorkError) { _ = try await expired(job, [again]) } catch .leaseLost, .ownerGone { continue }
                    kinds.append(job.kind)
                }
            }
            return kinds
        } catch let error as WorkError {
            throw error
        } catch let error as DatabaseError {
            throw error.forWorker
        } catch {
            throw .unavailable(DiaryError(.internalError, cause: "rescue"))
        }
    }

    /// Takes the user's lock and a change number, then makes sure that the lease is still ours: what follows is fenced (D2).
    func held(_ job: LeasedJob, _ statements: [Statement]) async throws(WorkError) -> [Rows] {
        try await fenced(job, Statement("select hold_job($1, $2)", job.fence), statements)
    }

    /// The rescuer's side of the same: the lease must have run out.
    private func expired(_ job: LeasedJob, _ statements: [Statement]) async throws(WorkError) -> [Rows] {
        try await fenced(job, Statement("select hold_expired_job($1, $2)", job.fence), statements)
    }

    func fenced(_ job: LeasedJob, _ fence: Statement, _ statements: [Statement]) async throws(WorkError) -> [Rows] {
        do {
            let rows = try await transaction.run(job.owner, [Self.touch(job.owner), fence] + statements)
            return Array(rows.dropFirst(2))
        } catch {
            throw error.forWorker
        }
    }

    /// Stops the transaction when there is no such owner to be seen: a fenced write to nobody's rows must not end its job either.
    static func touch(_ owner: Owner) -> Statement {
        Statement("select touch_owner($1, $2)", owner.parameters)
    }
}

extension LeasedJob {
    static let columns = "id, tenant_id, user_id, kind, subject, attempt, errors, crashes"

    init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: JobID(try row.uuid(0)), owner: Owner(tenant: TenantID(try row.uuid(1)), user: UserID(try row.uuid(2))),
            kind: try row.known(3),
            subject: try row.uuid(4), attempt: Int(try row.int(5)), errors: Int(try row.int(6)), crashes: Int(try row.int(7)))
    }

    /// `$1` and `$2` of a fenced statement.
    var fence: [Parameter] { [.uuid(id.uuid), .int4(Int32(clamping: attempt))] }
}
