package import DiaryCore
package import PostgresClient

/// Entries under their jobs, and what each stage writes, as `diary_worker`.
package struct PostgresTranscriptionStore: TranscriptionStore {
    let transaction: OwnerTransaction
    let jobs: JobTransaction

    package init(pool: ConnectionPool, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, catalogue: JobCatalogue = .diary) {
        self.transaction = transaction
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
    }

    package func beginEntry(_ job: LeasedJob) async throws(WorkError) -> StoredEntry {
        guard let stage = jobs.catalogue.stage(job.kind) else {
            throw .unavailable(DiaryError(.internalError, cause: "a job that works on no entry"))
        }
        let rows = try await jobs.held(
            job,
            [
                Statement(
                    "\(Self.update("status = $4, stage = $5, stage_attempt = $6, stage_next_at = null")) returning \(EntryColumns.list)",
                    job.owner.parameters + [
                        .uuid(job.subject), .text(stage.running.rawValue), .text(job.kind.rawValue), .int4(Int32(clamping: job.errors + 1)),
                    ]),
                // The entry was deleted meanwhile.
                .endJob(
                    job,
                    unlessExists: """
                        select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = j.subject and e.deleted_at is null
                        """),
            ])
        guard let row = rows.first(0) else { throw .ownerGone }
        do { return try StoredEntry(row) } catch { throw error.forWorker }
    }

    package func finishVerify(_ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8]) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job,
            """
            verified as (
                \(Self.update("\(Self.next), duration_s = $6, size_bytes = $7, sha256 = $8")) returning e.id)
            """, for: "verified", nextCost: JobCost.transcribe(seconds: facts.durationSeconds),
            next(job) + [.double(facts.durationSeconds), .int(size), .bytes(sha256)])
    }

    package func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String
    ) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job, key: machine.keyID,
            """
            transcribed as (
                \(Self.update("\(Self.next), machine = $6, machine_version = $7, language = $8")) and e.machine_version = $7 - 1
                returning e.id),
            words as (
                insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                select $1, $2, t.id, $9, $10, $11 from transcribed t
                on conflict on constraint entry_segments_pk
                    do update set sealed = excluded.sealed, version = excluded.version, key_id = excluded.key_id)
            """, for: "transcribed",
            next(job) + [
                .bytes(machine.sealed), .int(machine.version), .text(language), .bytes(segments.sealed), .int(segments.version),
                .uuid(segments.keyID),
            ])
    }

    package func languages(of owner: Owner) async throws(WorkError) -> [String] {
        do {
            let rows = try await transaction.run(
                owner, [Statement("select languages from users where tenant_id = $1 and id = $2", owner.parameters)])
            return try rows.first(0).map { row throws(DatabaseError) in try row.texts(0) } ?? []
        } catch {
            throw error.forWorker
        }
    }

    package func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn? {
        do {
            let rows = try await transaction.run(
                owner,
                [
                    Statement(
                        "select sealed, version from entry_segments where tenant_id = $1 and user_id = $2 and entry_id = $3",
                        owner.parameters + [.uuid(entry.uuid)])
                ])
            return try rows.first(0).map { row throws(DatabaseError) in SealedColumn(bytes: try row.bytes(0), version: try row.int(1)) }
        } catch {
            throw error.forWorker
        }
    }

    package func finishMachine(_ job: LeasedJob, machine: SealedResult) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job, key: machine.keyID,
            """
            written as (
                \(Self.update("\(Self.next), machine = $6, machine_version = $7")) and e.machine_version = $7 - 1 returning e.id)
            """, for: "written", next(job) + [.bytes(machine.sealed), .int(machine.version)])
    }

    static func willRetry(_ job: LeasedJob, code: ProcessingCode, afterSeconds: Double) -> Statement {
        Statement(
            update("stage_code = $4, stage_next_at = clock_timestamp() + make_interval(secs => $5), stage_attempt = $6"),
            job.owner.parameters + [
                .uuid(job.subject), .text(code.rawValue), .double(afterSeconds), .int4(Int32(clamping: job.errors + 1)),
            ])
    }

    static func failed(_ job: LeasedJob, code: ProcessingCode) -> Statement {
        Statement(
            update("status = 'failed', stage = $5, stage_code = $4, stage_next_at = null"),
            job.owner.parameters + [.uuid(job.subject), .text(code.rawValue), .text(job.kind.rawValue)])
    }

    /// The job's entry, unless it is deleted, with the next number of its owner's feed. `$1` to `$3` are tenant, user and entry.
    private static func update(_ columns: String) -> String {
        """
        update entries e set \(columns), updated_at = clock_timestamp(), change_number = s.change_number
        from user_sync s
        where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """
    }

    /// The entry stands before the stage that comes after the job's, or at the end of the pipeline. `$4` and `$5` are `next(job)`.
    private static let next = "status = $4, stage = $5, stage_attempt = 0, stage_code = null, stage_next_at = null"

    private func next(_ job: LeasedJob) -> [Parameter] {
        let (status, stage) = jobs.catalogue.entry(after: job.kind)
        return [.text(status.rawValue), .text(stage?.rawValue)]
    }
}
