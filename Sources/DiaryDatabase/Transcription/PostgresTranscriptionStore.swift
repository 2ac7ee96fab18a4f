package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Entries under their jobs, and what each stage writes, by the database role `diary_worker`.
package struct PostgresTranscriptionStore: TranscriptionStore {
    let transaction: OwnerTransaction
    let jobs: JobTransaction
    let batched: BatchedSteps

    package init(pool: ConnectionPool, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, catalogue: JobCatalogue = .diary) {
        self.transaction = transaction
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
        batched = BatchedSteps(pool: transaction.pool)
    }

    package func beginEntry(_ job: LeasedJob) async throws(WorkError) -> HeardEntry {
        guard let stage = jobs.catalogue.stage(job.kind) else {
            throw .unavailable(DiaryError(.internalError, cause: "a job that works on no entry"))
        }
        let step = BatchedSteps.Begin(job: job, stage: stage)
        do { if let heard = try await batched.begin(step) { return heard } } catch { throw error.forWorker }
        let beginning = [Self.lockEntry(of: job), BatchedSteps.beginning([step]), Self.endUnlessThere(job)]
        return try await jobs.held(job).run(beginning) { rows in
            guard var row = rows.first(1) else { throw WorkError.ownerGone }
            // Its place.
            row.skip(1)
            return try HeardEntry(&row)
        }
    }

    /// Waits for another transaction that holds the job's entry, which `BatchedSteps` would leave out.
    private static func lockEntry(of job: LeasedJob) -> Statement {
        Statement(
            "select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 for no key update",
            job.owner.parameters + [.uuid(job.subject)])
    }

    /// Ends the job of an entry that was deleted meanwhile.
    static func endUnlessThere(_ job: LeasedJob) -> Statement {
        .endJob(
            job,
            unlessExists: """
                select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = j.subject and e.deleted_at is null
                """)
    }

    package func isThere(_ job: LeasedJob) async throws(WorkError) -> Bool {
        try await transaction.forWorker(job.owner).run(
            "select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null",
            job.owner.parameters + [.uuid(job.subject)]
        ).first != nil
    }

    package func finishVerify(
        _ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8], rendition: NewRendition
    ) async throws(WorkError) -> FinishedStage {
        let (copy, waveform) = (rendition.copy, rendition.waveform)
        return try await jobs.finishStage(
            job, key: waveform.keyID,
            """
            verified as (
                \(Self.update("\(Self.advanceChecked), duration_s = $6, size_bytes = $7, sha256 = $8"))
                returning e.id, e.stage),
            unfinished as (select v.id, v.stage from verified v where v.stage is not null),
            rendition as (
                insert into entry_renditions (tenant_id, user_id, entry_id, object_id, size_bytes, sha256, removed_bytes, waveform, key_id, is_heard)
                select $1, $2, v.id, $9, $10, $11, $12, $13, $14, $15 from verified v
                on conflict on constraint entry_renditions_pk do update set object_id = excluded.object_id, size_bytes = excluded.size_bytes,
                    sha256 = excluded.sha256, removed_bytes = excluded.removed_bytes, waveform = excluded.waveform, key_id = excluded.key_id, is_heard = excluded.is_heard)
            """, writing: "verified", for: "unfinished", nextCost: JobCost.transcribe(seconds: facts.durationSeconds),
            nextStage(after: job) + [
                .double(facts.durationSeconds), .int(size), .bytes(sha256), .uuid(copy?.object), .int(copy?.sizeBytes),
                .bytes(copy?.sha256), .int(copy.flatMap { $0.isOriginalKept ? nil : size }), .bytes(waveform.sealed), .uuid(waveform.keyID),
                .bool(rendition.isCopyHeard),
            ])
    }

    package func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String?, insteadOf begun: String?,
        replaced: ReplacedTexts
    ) async throws(WorkError) -> JobKind? {
        var parameters =
            nextStage(after: job) + [
                .bytes(machine.sealed), .int(machine.version), .text(language), .bytes(segments.sealed), .int(segments.version),
                .uuid(segments.keyID), .text(begun),
            ]
        let ofOwnerOrHeard = "language = case when e.language is not distinct from $12 then $8 else e.language end"
        let kept = Self.keep(replaced, of: "transcribed", key: machine.keyID, &parameters)
        var checks: [Statement] = []
        var dropped = ""
        if let corrections = replaced.corrections {
            checks = [Self.expectCorrections(corrections, of: job)]
            dropped = """
                ,
                dropped as (
                    delete from segment_corrections c using transcribed t
                    where c.tenant_id = $1 and c.user_id = $2 and c.entry_id = t.id)
                """
        }
        return try await jobs.finish(
            job, key: machine.keyID,
            """
            transcribed as (
                \(Self.update("\(Self.advance), machine = $6, machine_version = $7, \(ofOwnerOrHeard)")) and e.machine_version = $7 - 1
                returning e.id),
            written_segments as (
                insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                select $1, $2, t.id, $9, $10, $11 from transcribed t
                on conflict on constraint entry_segments_pk
                    do update set sealed = excluded.sealed, version = excluded.version, key_id = excluded.key_id)\(dropped)\(kept),
            parts as (
                delete from speech_parts p using transcribed t where p.tenant_id = $1 and p.user_id = $2 and p.entry_id = t.id)
            """, for: "transcribed", checks: checks, parameters)
    }

    private static func expectCorrections(_ version: Int64, of job: LeasedJob) -> Statement {
        Statement("select expect_corrections($1, $2, $3, $4)", job.owner.parameters + [.uuid(job.subject), .int(version)])
    }

    /// More common table expressions, which keep what the row of `source` had.
    private static func keep(_ replaced: ReplacedTexts, of source: String, key: UUID, _ parameters: inout [Parameter]) -> String {
        guard !replaced.revisions.isEmpty else { return "" }
        parameters.append(.uuid(key))
        let key = "$\(parameters.count + 3)"
        // `$1` to `$3` are tenant, user and entry.
        var revisions: [(layer: String, number: String, sealed: String)] = []
        for revision in replaced.revisions {
            let first = parameters.count + 4
            revisions.append(("$\(first)", "$\(first + 1)", "$\(first + 2)"))
            parameters += RevisionInsertion.values(revision)
        }
        return ",\n" + RevisionInsertion.sql(of: source, key: key, revisions)
    }

    package func expectedSpeech(of owner: Owner, in entry: EntryID) async throws(WorkError) -> ExpectedSpeech {
        try await transaction.forWorker(owner).one(
            """
            select u.languages, u.locale, u.vocabulary_sealed, r.waveform, coalesce(r.is_heard, false),
                coalesce((select t.configuration ->> $4 = 'on' from tenants t where t.id = $1), false)
            from users u
            left join entry_renditions r on r.tenant_id = u.tenant_id and r.user_id = u.id and r.entry_id = $3
            where u.tenant_id = $1 and u.id = $2
            """, owner.parameters + [.uuid(entry.uuid), .text(TenantSetting.guessSpeakers.name)]
        ) { row in
            ExpectedSpeech(
                languages: try row.texts(), locale: try row.textOrNil(), vocabularySealed: try row.bytesOrNil(),
                waveformSealed: try row.bytesOrNil(), hearsCopy: try row.bool(), guessesSpeakers: try row.bool())
        } ?? ExpectedSpeech()
    }

    package func segments(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> SealedColumn? {
        try await transaction.forWorker(owner).one(
            "select sealed, version from entry_segments where tenant_id = $1 and user_id = $2 and entry_id = $3",
            owner.parameters + [.uuid(entry.uuid)]
        ) { SealedColumn(bytes: try $0.bytes(), version: try $0.int()) }
    }

    package func corrections(_ entry: EntryID, of owner: Owner) async throws(WorkError) -> StoredCorrections? {
        try await transaction.forWorker(owner).one(
            """
            select sealed, version, segments_version from segment_corrections
            where tenant_id = $1 and user_id = $2 and entry_id = $3
            """, owner.parameters + [.uuid(entry.uuid)]
        ) { row in
            StoredCorrections(
                sealed: SealedColumn(bytes: try row.bytes(), version: try row.int()), segmentsVersion: try row.int())
        }
    }

    package func finishMachine(
        _ job: LeasedJob, machine: SealedResult, replaced: ReplacedTexts, waiting code: ProcessingCode?
    ) async throws(WorkError) -> JobKind? {
        // What waits is done again from this stage; those that follow come then.
        let after = jobs.catalogue.entry(after: job.kind)
        let next = code == nil ? jobs.catalogue.successor(of: job.kind)?.kind : nil
        var step = BatchedSteps.Finish(
            job: job, machine: machine, personal: replaced.personal, status: code == nil ? after.status : .transcribed,
            stage: code == nil ? after.stage : job.kind, next: next, code: code)
        if replaced.revisions.isEmpty, code == nil, replaced.corrections == nil || replaced.personal != nil {
            do { if try await batched.finish(step) { return next } } catch { throw error.forWorker }
        }
        // One of the checks below looks at what it stands for.
        step.personal = nil
        // `$4` and `$5` are the fence.
        var parameters = job.fence + BatchedSteps.parameters([step])
        let kept = Self.keep(replaced, of: "written", key: machine.keyID, &parameters)
        var checks: [Statement] = []
        if let corrections = replaced.corrections {
            checks = [Self.expectCorrections(corrections, of: job)]
        } else if let personal = replaced.personal {
            checks = [Statement("select expect_personal($1, $2, $3, $4)", job.owner.parameters + [.uuid(job.subject), .int(personal)])]
        }
        // The job also ends when the entry was deleted, or has another text meanwhile.
        let writing = Statement(
            """
            with written as materialized (select $3::uuid as id from \(BatchedSteps.finishing(from: 6)))\(kept)
            select finish_job($4, $5) where not exists (select from written)
            """, job.owner.parameters + [.uuid(job.subject)] + parameters)
        var statements = [Self.lockEntry(of: job)] + checks + [writing]
        // The consent may have been given since the job asked for it.
        if code == .consentRequired { statements.append(ConsentedEntries.queueing(EntryID(job.subject), of: job.owner)) }
        let rows = try await jobs.held(job, key: machine.keyID, statements)
        return rows.first(1 + checks.count) == nil ? next : nil
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
            // An entry that had its texts before this run goes on showing them.
            update(
                """
                status = case when e.rerun_from is null then 'failed' else 'transcribed' end, stage = $5, stage_code = $4,
                    stage_next_at = null, rerun_from = null, asked_engine = null, asked_language = null
                """),
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

    /// The entry stands before the stage that comes after the job's, or at the end of the pipeline. `$4` and `$5` are `nextStage(after:)`.
    private static let advance = """
        status = $4, stage = $5, stage_attempt = 0, stage_code = null, stage_next_at = null,
            rerun_from = case when $5::text is not null then e.rerun_from end, asked_engine = null, asked_language = null
        """

    /// The same, but an entry that was imported with its texts is finished, as is one whose client wants no recognition; words of its client
    /// are cleaned then. Where it wants both, they are shown until there are others: a run that fails leaves them.
    private static let advanceChecked = """
        status = case when \(isFinished) then 'transcribed' when \(isGiven) then '\(EntryStatus.cleaning.rawValue)' else $4 end,
            stage = case when \(isFinished) then null when \(isGiven) then '\(JobKind.clean.rawValue)' else $5 end,
            rerun_from = case when e.machine is not null and e.recognise = 'always' then '\(JobKind.verify.rawValue)' else e.rerun_from end,
            stage_attempt = 0, stage_code = null, stage_next_at = null, asked_engine = null, asked_language = null, recognise = null,
            on_device = false
        """
    private static let isFinished = "coalesce(case when e.machine is null then e.recognise = 'never' else e.recognise is null end, false)"
    private static let isGiven = "coalesce(e.machine is not null and e.recognise = 'never', false)"

    private func nextStage(after job: LeasedJob) -> [Parameter] {
        let (status, stage) = jobs.catalogue.entry(after: job.kind)
        return [.text(status.rawValue), .text(stage?.rawValue)]
    }
}
