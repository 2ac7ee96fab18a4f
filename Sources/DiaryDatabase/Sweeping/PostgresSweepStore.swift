package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// The sweeper's work. What it finds across accounts comes from SQL functions that answer ids, times and sizes only.
package struct PostgresSweepStore: SweepStore {
    let pool: ConnectionPool
    let transaction: OwnerTransaction

    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }

    init(transaction: OwnerTransaction) {
        pool = transaction.pool
        self.transaction = transaction
    }

    package func noteSweep(stored: Int64, isFirst: Bool, awaySeconds: Double) async throws(WorkError) -> NotedSweep {
        let noted = try await pool.forWorker.one(
            "select next_number, finding from note_sweep($1, $2, $3)", [.int(stored), .bool(isFirst), .double(awaySeconds)]
        ) { NotedSweep(number: try $0.int(), finding: try $0.knownOrNil()) }
        guard let noted else { throw .unavailable(DiaryError(.internalError, cause: "note_sweep answered nothing")) }
        return noted
    }

    package func keptTimes() async throws(WorkError) -> [ClosedRange<Date>] {
        try await pool.forWorker.all("select since, until from kept_times()") { try $0.times() }
    }

    package func end(_ rows: RowSweep, most: Int) async throws(WorkError) -> Int {
        try await pool.forWorker.one("select sweep_\(rows.rawValue)($1)", [.int4(Int32(clamping: most))]) { try $0.count() } ?? 0
    }

    package func stranded(olderThanSeconds: Double, limit: Int) async throws(WorkError) -> [StrandedEntry] {
        try await pool.forWorker.all(
            "select tenant_id, user_id, entry_id, status, stage from sweep_stranded(make_interval(secs => $1), $2)",
            [.double(olderThanSeconds), .int4(Int32(clamping: limit))]
        ) { row -> StrandedEntry? in
            let (owner, entry) = (try Owner(&row), EntryID(try row.uuid()))
            let status: EntryStatus = try row.known()
            let kind = JobCatalogue.diary.awaited(status, stage: try row.textOrNil().map(JobKind.init(rawValue:)))
            return kind.map { StrandedEntry(owner: owner, entry: entry, kind: $0) }
        }.compactMap(\.self)
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

    package func ended(_ kind: EndedObjects, limit: Int) async throws(WorkError) -> [EndedObject] {
        try await pool.forWorker.all("select * from sweep_\(kind.rawValue)($1)", [.int4(Int32(clamping: limit))]) { row in
            let (owner, id, object) = (try Owner(&row), try row.uuid(), try row.uuid())
            let keys: [ObjectKey]
            switch kind {
            case .exportParts: keys = [ObjectKey(kind: .export, owner: owner, object: object)]
            case .imports: keys = [ObjectKey.Kind.staging, .imported].map { ObjectKey(kind: $0, owner: owner, object: object) }
            case .removedAudio: keys = RecordingObjects(original: object, copy: try row.uuidOrNil()).keys(of: owner)
            }
            return EndedObject(owner: owner, id: id, object: object, keys: keys)
        }
    }

    package func forget(_ ended: EndedObject, of kind: EndedObjects) async throws(WorkError) {
        let row = ended.owner.parameters + [.uuid(ended.id)]
        let statement =
            switch kind {
            case .exportParts:
                Statement(
                    """
                    with part as (
                        update export_parts set object_id = null where tenant_id = $1 and user_id = $2 and export_id = $3 and object_id = $4)
                    update exports set work_object_id = null where tenant_id = $1 and user_id = $2 and id = $3 and work_object_id = $4
                    """, row + [.uuid(ended.object)])
            case .imports:
                Statement(
                    """
                    update imports set object_id = null, part_upload = null, part_bytes = null
                    where tenant_id = $1 and user_id = $2 and id = $3 and status in ('finished', 'failed')
                    """, row)
            case .removedAudio: AudioRemoval.forget(EntryID(ended.id), of: ended.owner)
            }
        try await write(ended.owner, statement)
    }

    package func orphans(among keys: [ObjectKey]) async throws(WorkError) -> [ObjectKey] {
        try await those(of: keys, OrphanQuery(keys: keys).statement)
    }

    package func signUps(after: AgedSignUp?, limit: Int) async throws(WorkError) -> [AgedSignUp] {
        try await pool.forWorker.all(
            "select tenant_id, user_id, created_at, is_abandoned from sweep_sign_ups($1, $2, $3)",
            [.timestamp(after?.createdAt), .uuid(after?.owner.user.uuid), .int4(Int32(clamping: limit))]
        ) { AgedSignUp(owner: try Owner(&$0), createdAt: try $0.date(), isAbandoned: try $0.bool()) }
    }

    @discardableResult
    package func requestErasure(ofSignUp owner: Owner, _ deletion: NewDeletion) async throws(WorkError) -> Bool {
        try await pool.forWorker.one(
            "select request_abandoned_erasure($1, $2, $3, $4, $5, $6)", owner.parameters + deletion.parameters
        ) { try $0.bool() } ?? false
    }

    /// The elements whose places, from 1, a statement answers.
    func those<Element>(of all: [Element], _ statement: Statement) async throws(WorkError) -> [Element] {
        guard !all.isEmpty else { return [] }
        return all.elements(at: try await pool.forWorker.all(statement) { try $0.int() })
    }

    /// - Returns: how many rows were changed.
    @discardableResult
    func write(_ owner: Owner, _ statement: Statement) async throws(WorkError) -> Int {
        try await transaction.forWorker(owner).run([.touchOwner(owner), statement]).last?.affected ?? 0
    }
}
