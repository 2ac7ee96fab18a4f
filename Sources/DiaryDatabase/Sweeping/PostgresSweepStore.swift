package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// The sweeper's work across users, through functions that return ids and times only.
package struct PostgresSweepStore: SweepStore {
    let pool: ConnectionPool
    let transaction: OwnerTransaction

    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }

    init(transaction: OwnerTransaction) {
        pool = transaction.pool
        self.transaction = transaction
    }

    package func awaitingUploads(
        olderThanSeconds: Double, after: (createdAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload] {
        try await read(
            Statement(
                "select * from sweep_uploads(make_interval(secs => $1), $2, $3, $4)",
                [.double(olderThanSeconds), .timestamp(after?.createdAt), .uuid(after?.entry.uuid), .int4(Int32(clamping: limit))])
        ) { row throws(DatabaseError) in try AwaitingUpload(row) }
    }

    package func lateUploads(
        after: (expiresAt: Date, entry: EntryID)?, limit: Int
    ) async throws(WorkError) -> [AwaitingUpload] {
        try await read(
            Statement(
                "select * from sweep_late_uploads($1, $2, $3)",
                [.timestamp(after?.expiresAt), .uuid(after?.entry.uuid), .int4(Int32(clamping: limit))])
        ) { row throws(DatabaseError) in try AwaitingUpload(row) }
    }

    package func completeUpload(_ upload: AwaitingUpload, size: Int64, job: NewJob) async throws(WorkError) {
        try await write(
            upload.owner,
            Statement(
                """
                with uploaded as (
                    update entries e set status = 'uploaded', uploaded_at = clock_timestamp(), size_bytes = $4, updated_at = clock_timestamp(),
                        change_number = s.change_number, stage = $6, stage_attempt = 0, stage_code = null
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                        and e.object_id = $9 and e.deleted_at is null
                        and (e.status = 'awaiting_upload' or e.status = 'failed' and e.stage_code = $8)
                    returning e.id)
                \(JobInsertion.sql(id: "$5", kind: "$6", subject: "u.id", cost: "$7", from: "uploaded u")) on conflict do nothing
                """,
                upload.owner.parameters + [
                    .uuid(upload.entry.uuid), .int(size), .uuid(job.id.uuid), .text(job.kind.rawValue), .double(job.cost),
                    .text(ProcessingCode.uploadExpired.rawValue), .uuid(upload.object),
                ]))
    }

    @discardableResult
    package func abandonUpload(
        _ upload: AwaitingUpload, at now: Date, arrivedBefore: Date, object: UUID?
    ) async throws(WorkError) -> Bool {
        try await write(
            upload.owner,
            Statement(
                """
                update entries e set status = 'failed', stage = $6, stage_code = $4, updated_at = clock_timestamp(), change_number = s.change_number,
                    object_id = coalesce($8, e.object_id)
                from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                    and e.deleted_at is null and e.status = 'awaiting_upload' and (e.uploaded_at < $5) is not false
                    and (e.upload_expires_at <= $7) is not false
                """,
                upload.owner.parameters + [
                    .uuid(upload.entry.uuid), .text(ProcessingCode.uploadExpired.rawValue), .timestamp(arrivedBefore),
                    .text(JobKind.verify.rawValue), .timestamp(now), .uuid(object),
                ])) > 0
    }

    package func stranded(olderThanSeconds: Double, limit: Int) async throws(WorkError) -> [StrandedEntry] {
        try await read(
            Statement(
                "select tenant_id, user_id, entry_id, status, stage from sweep_stranded(make_interval(secs => $1), $2)",
                [.double(olderThanSeconds), .int4(Int32(clamping: limit))])
        ) { row throws(DatabaseError) -> StrandedEntry? in
            let status: EntryStatus = try row.known(3)
            let kind = JobCatalogue.diary.awaited(status, stage: try row.textOrNil(4).map(JobKind.init(rawValue:)))
            let (owner, entry) = (try Owner(row), EntryID(try row.uuid(2)))
            return kind.map { StrandedEntry(owner: owner, entry: entry, kind: $0) }
        }.compactMap { $0 }
    }

    package func mend(_ stranded: StrandedEntry, job: JobID) async throws(WorkError) -> Bool {
        guard let status = JobCatalogue.diary.stage(stranded.kind)?.waiting else { return false }
        let made = Statement(
            """
            with waiting as (
                update entries e set status = $6, stage = $5, stage_attempt = 0, stage_next_at = null, stage_code = null,
                    updated_at = clock_timestamp(), change_number = s.change_number
                from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                    and e.deleted_at is null and e.status in ('uploaded', 'transcribing', 'cleaning')
                    and not exists (select from jobs j where j.tenant_id = $1 and j.user_id = $2 and j.subject = e.id
                        and j.state in ('ready', 'leased'))
                returning e.id, e.size_bytes, e.duration_s)
            \(JobInsertion.sql(id: "$4", kind: "$5", subject: "w.id", cost: JobInsertion.cost(ofEntry: "w"), from: "waiting w"))
            on conflict do nothing
            """,
            stranded.owner.parameters + [
                .uuid(stranded.entry.uuid), .uuid(job.uuid), .text(stranded.kind.rawValue), .text(status.rawValue),
            ])
        return try await write(stranded.owner, made) > 0
    }

    package func endedExportParts(limit: Int) async throws(WorkError) -> [(owner: Owner, export: ExportID, object: UUID)] {
        try await read(Statement("select * from sweep_export_parts($1)", [.int4(Int32(clamping: limit))])) { row throws(DatabaseError) in
            (owner: try Owner(row), export: ExportID(try row.uuid(2)), object: try row.uuid(3))
        }
    }

    package func forgetPart(_ object: UUID, of export: ExportID, _ owner: Owner) async throws(WorkError) {
        try await write(
            owner,
            Statement(
                """
                with part as (
                    update export_parts set object_id = null where tenant_id = $1 and user_id = $2 and export_id = $3 and object_id = $4)
                update exports set work_object_id = null where tenant_id = $1 and user_id = $2 and id = $3 and work_object_id = $4
                """, owner.parameters + [.uuid(export.uuid), .uuid(object)]))
    }

    package func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep {
        let noted = try await read(
            Statement("select next_number, finding from note_sweep($1, $2, $3)", [.int(stored), .bool(isFirst), .double(awaySeconds)])
        ) { row throws(DatabaseError) in NotedSweep(number: try row.int(0), finding: try row.knownOrNil(1)) }
        guard let noted = noted.first else { throw .unavailable(DiaryError(.internalError, cause: "note_sweep answered nothing")) }
        return noted
    }

    package func keptTimes() async throws(WorkError) -> [ClosedRange<Date>] {
        do { return try await pool.run([Statement("select since, until from kept_times()")])[0].times() } catch { throw error.forWorker }
    }

    package func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        guard !keys.isEmpty else { return [] }
        let query = OrphanQuery(keys: keys)
        do { return try query.orphans(try await pool.run([query.statement])[0]) } catch { throw error.forWorker }
    }

    package func sweepBookkeeping(most: Int) async throws(WorkError) -> Bool {
        var largest: Int64 = 0
        for sweep in ["sweep_speech_parts", "sweep_export_rows", "sweep_mail_reports", "sweep_bookkeeping"] {
            largest = try await max(largest, call(Statement("select \(sweep)($1)", [.int4(Int32(clamping: most))])))
        }
        return largest >= Int64(most)
    }

    package func sweepTombstones(most: Int) async throws(WorkError) -> Bool {
        try await call(Statement("select sweep_tombstones($1)", [.int4(Int32(clamping: most))])) >= Int64(most)
    }

    package func sweepAppleGrants() async throws(WorkError) { _ = try await call(Statement("select sweep_apple_grants()")) }

    private func call(_ sweep: Statement) async throws(WorkError) -> Int64 {
        try await read(sweep) { row throws(DatabaseError) in try row.int(0) }.first ?? 0
    }

    func read<Value>(_ statement: Statement, _ decode: (Row) throws(DatabaseError) -> Value) async throws(WorkError) -> [Value] {
        do {
            var values: [Value] = []
            for row in try await pool.run([statement])[0] { values.append(try decode(row)) }
            return values
        } catch {
            throw error.forWorker
        }
    }

    /// - Returns: how many rows were changed.
    @discardableResult
    func write(_ owner: Owner, _ statement: Statement) async throws(WorkError) -> Int {
        do {
            return try await transaction.run(owner, [.touchOwner(owner), statement]).last?.affected ?? 0
        } catch {
            throw error.forWorker
        }
    }
}

extension AwaitingUpload {
    /// A row of `sweep_uploads`, `sweep_late_uploads`, `sweep_part_uploads` and `sweep_trash_uploads`.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            owner: try Owner(row), entry: EntryID(try row.uuid(2)), object: try row.uuid(3), size: try row.int(4),
            createdAt: try row.date(5), expiresAt: try row.date(6))
    }
}
