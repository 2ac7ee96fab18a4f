package import DiaryCore
package import FoundationEssentials
package import Logging
package import PostgresClient

/// Exports under their jobs, by the database role `diary_worker`.
package struct PostgresExportBuildStore: ExportBuildStore {
    let transaction: OwnerTransaction
    let jobs: JobTransaction
    /// For the snapshot, which needs one session throughout.
    let snapshot: ConnectionSettings
    let logger: Logger

    /// How long the snapshot waits between two statements: its reader asks the object store about each page. The job's lease bounds the
    /// whole, as a worker that lost it stops reading, and what it writes is fenced.
    private static let patience = "5min"

    package init(pool: ConnectionPool, snapshot: ConnectionSettings, logger: Logger, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), snapshot: snapshot, logger: logger, catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, snapshot: ConnectionSettings, logger: Logger, catalogue: JobCatalogue = .diary) {
        self.transaction = transaction
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
        self.snapshot = snapshot
        self.logger = logger
    }

    package func coloredTags(of owner: Owner) async throws(WorkError) -> [StoredTag] {
        try await transaction.forWorker(owner).all(
            "select t.hash, t.sealed from tags t where t.tenant_id = $1 and t.user_id = $2 order by t.hash", owner.parameters
        ) { StoredTag(hash: try $0.int(), sealed: try $0.bytes()) }
    }

    package func beginExport(_ job: LeasedJob) async throws(WorkError) -> (Export, StoredProfile) {
        try await jobs.held(job).run([
            // Failed and made ready again: the sweeper may have deleted parts already.
            Statement(
                """
                delete from export_parts p using exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.status = 'queued'
                    and p.tenant_id = $1 and p.user_id = $2 and p.export_id = $3
                """, job.owner.parameters + [.uuid(job.subject)]),
            Statement(
                """
                update exports x set status = 'building', work_object_id = case x.status when 'building' then x.work_object_id end
                where x.tenant_id = $1 and x.user_id = $2 and x.id = $3 and x.revoked_at is null
                    and x.status in ('queued', 'building')
                returning \(ExportColumns.list)
                """, job.owner.parameters + [.uuid(job.subject)]),
            StoredProfile.statement(job.owner),
            // Revoked before it was built.
            .endJob(
                job,
                unlessExists: """
                    select from exports x where x.tenant_id = $1 and x.user_id = $2 and x.id = j.subject and x.status = 'building'
                        and x.revoked_at is null
                    """),
        ]) { rows in
            guard var export = rows.first(1), var profile = rows.first(2) else { throw WorkError.ownerGone }
            return (try Export(&export), try StoredProfile(&profile))
        }
    }

    package func readExport(
        _ export: Export, of owner: Owner, began: @escaping @Sendable (ExportSnapshot) async throws -> Void,
        deleted: @escaping @Sendable ([DeletedEntry]) async throws -> Void,
        page: @escaping @Sendable ([StoredExportEntry]) async throws -> Void
    ) async throws {
        let session = try DedicatedConnection(snapshot, runDeadline: .seconds(60), logger: logger)
        defer { session.close() }
        // One snapshot for all pages (E5); it is read only and ends with the session. The timeout is set here, since a pooler may leave out what
        // a session begins with.
        try await session.runScript(
            """
            begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = '\(Self.patience)'
            """)
        _ = try await session.run([transaction.opening(owner.tenant, owner.user)])
        let counter = try await session.run([ExportReading.counter(export, of: owner), ExportReading.profiles(of: owner)])
        // Without the row the account is being erased, and its entries are no longer visible either.
        guard var row = counter.first(0) else { throw WorkError.ownerGone }
        let taken = ExportSnapshot(
            changesUpto: try row.int(), knowsDeletions: try row.bool(), profiles: try counter[1].all { try StoredSpeakerProfile(&$0) })
        try await began(taken)
        if let since = export.selection.changedAfter { try await readDeleted(session, since, owner, deleted) }
        // Before the first day of the calendar: with a position on the first page too, every page reads the same range of the index.
        var after = DatePosition(recordedAt: Date(timeIntervalSince1970: -62_135_596_800 - 172_800), id: EntryID(UUIDv7.make()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                let rows = try await session.run([ExportReading.page(export, of: owner, after: after)])
                let selected = try rows[0].all { try ExportPosition(&$0) }
                for positions in ExportPosition.pages(selected) {
                    let rows = try await session.run(ExportRows.statements(positions, of: owner))
                    let entries = try ExportRows.entries(rows)
                    // One after the other, while the next ones are read.
                    try await group.next()
                    group.addTask { try await page(entries) }
                }
                guard let last = selected.last, selected.count == ExportReading.pageSize else { break }
                after = DatePosition(recordedAt: last.recordedAt, id: EntryID(last.id))
            }
            try await group.next()
        }
        try await session.runScript("commit")
    }

    private func readDeleted(
        _ session: DedicatedConnection, _ since: Int64, _ owner: Owner, _ deleted: @Sendable ([DeletedEntry]) async throws -> Void
    ) async throws {
        var after = since
        while true {
            let rows = try await session.run([ExportReading.deleted(after: after, of: owner)])
            let page = try rows[0].all { DeletedEntry(id: EntryID(try $0.uuid()), deletedAt: try $0.date()) }
            guard let last = rows[0].last else { return }
            try await deleted(page)
            after = try last.int(2)
            if page.count < ExportReading.deletedPageSize { return }
        }
    }

    package func finishExport(
        _ job: LeasedJob, keyID: UUID, size: Int64, entryCount: Int, changesUpto: Int64, expiresAt: Date, kept: KeptZip?, mail: QueuedMail
    ) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job, key: keyID,
            """
            ready as (
                update exports x set status = 'ready', size_bytes = $5, entry_count = $6, ready_at = clock_timestamp(),
                    expires_at = case when \(Self.isKept) then greatest($7, $12) else $7 end,
                    kept_seconds = case when \(Self.isKept) then $13 end,
                    changes_upto = least(x.changes_upto, $11), mail_asked = x.mail_asked and $6 > 0,
                    progress_entries = null, progress_entries_total = null, progress_bytes = null, progress_bytes_total = null,
                    progress_seconds = null
                where x.tenant_id = $1 and x.user_id = $2 and x.id = $3
                returning x.id, x.schedule_id, x.created_at, x.changes_upto, x.revoked_at, x.mail_asked and x.revoked_at is null as is_mailed),
            -- Where the next export begins. Not where its owner has changed the schedule since this one was asked for: it may select more.
            continued as (
                update export_schedules s set changes_upto = greatest(s.changes_upto, r.changes_upto), last_at = greatest(s.last_at, r.created_at)
                from ready r
                where s.tenant_id = $1 and s.user_id = $2 and s.id = r.schedule_id and r.revoked_at is null and s.updated_at <= r.created_at),
            mail as (
                insert into mails (tenant_id, user_id, id, kind, payload, key_id, subject)
                select $1, $2, $8, $9, $10, $4, r.id from ready r where r.is_mailed returning id)
            """, for: "mail",
            [
                .uuid(keyID), .int(size), .int4(Int32(clamping: entryCount)), .timestamp(expiresAt), .uuid(mail.id.uuid),
                .text(mail.kind.rawValue), .bytes(mail.payload), .int(changesUpto),
                .timestamp(kept?.until), .int4(kept.map { Int32(clamping: $0.releasedSeconds) }),
            ])
    }

    /// A zip may hold what was deleted while it was built, and then lives no longer than its link. The deletion of an entry ends those that are ready.
    private static let isKept = """
        $12 is not null and exists (select from export_schedules s
            where s.tenant_id = $1 and s.user_id = $2 and s.id = x.schedule_id and s.keep_last is not null)
        and not exists (select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $11 and e.deleted_at is not null)
        """

    static func failed(_ job: LeasedJob, code: ProcessingCode) -> Statement {
        Statement(
            """
            update exports set status = 'failed', code = $4, mail_status = case mail_status when 'waiting' then 'failed' else mail_status end
            where tenant_id = $1 and user_id = $2 and id = $3
            """,
            job.owner.parameters + [.uuid(job.subject), .text(code.rawValue)])
    }
}
