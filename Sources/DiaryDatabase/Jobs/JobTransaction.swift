import DiaryCore
import FoundationEssentials
import PostgresClient

/// Transactions fenced by a job's lease (decision D2). Each takes the owner's `user_sync` row first, which also draws a change number, then
/// the job.
struct JobTransaction: Sendable {
    let transaction: OwnerTransaction
    let catalogue: JobCatalogue

    /// The lease must still be held.
    /// - Parameter key: as in `finish`.
    func held(_ job: LeasedJob, key: UUID? = nil) -> Transaction<WorkError> {
        fenced(job, lock(job, key), Statement("select hold_job($1, $2)", job.fence))
    }

    @discardableResult
    func held(_ job: LeasedJob, key: UUID? = nil, _ statements: [Statement]) async throws(WorkError) -> [Rows] {
        try await held(job, key: key).run(statements)
    }

    /// The lease must have expired, and be the one that was seen.
    func expired(_ job: LeasedJob) -> Transaction<WorkError> {
        fenced(job, .touchOwner(job.owner), Statement("select hold_expired_job($1, $2)", job.fence))
    }

    /// Ends the job, writes its result and makes its successor ready.
    /// - Parameters:
    ///   - key: the key the result is sealed under; refused when it is no longer the owner's live key.
    ///   - result: common table expressions. `$1` to `$3` are tenant, user and the job's subject; `parameters` follow from `$4`.
    ///   - rows: the one of them whose rows, by their `id`, are the subjects of the next job.
    ///   - checks: statements that stop the transaction.
    /// - Returns: the kind of the job that was committed with the result; nil when there is none.
    func finish(
        _ job: LeasedJob, key: UUID? = nil, _ result: String, for rows: String, checks: [Statement] = [], _ parameters: [Parameter] = []
    ) async throws(WorkError) -> JobKind? {
        let given = job.owner.parameters + [.uuid(job.subject)] + parameters
        let (id, kind, cost) = ("$\(given.count + 1)", "$\(given.count + 2)", "$\(given.count + 3)")
        let insertion = JobInsertion.sql(id: id, kind: kind, subject: "id", cost: cost, from: rows)
        // Written for its rows also when there is no next kind: the result's expressions run to their end either way.
        let statement = Statement(
            "with \(result)\n\(insertion) where \(kind)::text is not null returning kind",
            given + [.uuid(UUIDv7.make()), .text(catalogue.successor(of: job.kind)?.kind.rawValue), .double(JobCost.small)])
        return try await finished(job, key).run(checks + [statement]) { rows in
            try rows.one(checks.count) { JobKind(rawValue: try $0.text()) }
        }
    }

    /// Does what `finish` does, for a stage after which not all entries go on, and not all with its successor.
    /// - Parameters:
    ///   - written: the expression whose rows say that the result was written.
    ///   - rows: as in `finish`; the next job's kind is their `stage`.
    ///   - nextCost: seconds of work of the successor.
    func finishStage(
        _ job: LeasedJob, key: UUID, _ result: String, writing written: String, for rows: String, nextCost: Double,
        _ parameters: [Parameter]
    ) async throws(WorkError) -> FinishedStage {
        let given = job.owner.parameters + [.uuid(job.subject)] + parameters
        let (id, kind, cost) = ("$\(given.count + 1)", "$\(given.count + 2)", "$\(given.count + 3)")
        let insertion = JobInsertion.sql(
            id: id, kind: "stage", subject: "id",
            cost: "case stage when \(kind)::text then \(cost)::double precision else \(JobCost.small) end", from: rows)
        let statement = Statement(
            """
            with \(result),
            made as (\(insertion) returning kind)
            select exists (select from \(written)),
                not exists (select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                    and (e.deleted_at is null or e.trash_ends_at is not null)),
                (select kind from made)
            """,
            given + [.uuid(UUIDv7.make()), .text(catalogue.successor(of: job.kind)?.kind.rawValue), .double(nextCost)])
        return try await finished(job, key).one(statement) { row in
            FinishedStage(isWritten: try row.bool(), isGone: try row.bool(), next: try row.textOrNil().map { JobKind(rawValue: $0) })
        } ?? FinishedStage(isWritten: false, next: nil)
    }

    private func lock(_ job: LeasedJob, _ key: UUID?) -> Statement {
        key.map { Statement("select bump_change($1, $2, $3)", job.owner.parameters + [.uuid($0)]) } ?? .touchOwner(job.owner)
    }

    private func finished(_ job: LeasedJob, _ key: UUID?) -> Transaction<WorkError> {
        fenced(job, lock(job, key), Statement("select finish_job($1, $2)", job.fence))
    }

    private func fenced(_ job: LeasedJob, _ lock: Statement, _ fence: Statement) -> Transaction<WorkError> {
        var fenced = transaction.forWorker(job.owner)
        fenced.opening += [lock, fence]
        return fenced
    }
}

extension Statement {
    /// Locks the owner's `user_sync` row and draws a change number. Raises when row-level security hides the owner, so that no job ends
    /// after an update that matched no row.
    static func touchOwner(_ owner: Owner) -> Statement {
        Statement("select touch_owner($1, $2)", owner.parameters)
    }

    /// Ends a job whose subject is gone. `subject` is a query: `$1` and `$2` are tenant and user, `j` is the job.
    static func endJob(_ job: LeasedJob, unlessExists subject: String) -> Statement {
        Statement(
            """
            update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
            where j.id = $3 and j.attempt = $4 and not exists (\(subject))
            """, job.owner.parameters + job.fence)
    }
}

/// What the owner sees of a failed job: statements that write it to the entry, export, mail or import, in the job's fenced transaction.
extension JobSubject {
    /// After a failed try that will be repeated.
    func marks(retrying job: LeasedJob, code: ProcessingCode, afterSeconds: Double) -> [Statement] {
        switch self {
        case .entry: [PostgresTranscriptionStore.willRetry(job, code: code, afterSeconds: afterSeconds)]
        case .export, .mail, .importing: []
        }
    }

    /// After the last try.
    func marks(discarding job: LeasedJob, code: ProcessingCode) -> [Statement] {
        switch self {
        case .entry: [PostgresTranscriptionStore.failed(job, code: code)]
        case .export: [PostgresExportBuildStore.failed(job, code: code)]
        case .mail: [PostgresMailQueueStore.failed(job, code: code)]
        case .importing: [PostgresImportRunStore.failed(job, code: code)]
        }
    }
}
