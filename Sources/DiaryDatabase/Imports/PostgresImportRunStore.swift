package import DiaryCore
package import FoundationEssentials
package import PostgresClient
import WireFormats

/// Imports under their jobs, by the database role `diary_worker`.
package struct PostgresImportRunStore: ImportRunStore {
    let transaction: OwnerTransaction
    let jobs: JobTransaction

    package init(pool: ConnectionPool, catalogue: JobCatalogue = .diary) {
        self.init(transaction: OwnerTransaction(pool: pool), catalogue: catalogue)
    }

    init(transaction: OwnerTransaction, catalogue: JobCatalogue = .diary) {
        self.transaction = transaction
        jobs = JobTransaction(transaction: transaction, catalogue: catalogue)
    }

    package func beginImport(_ job: LeasedJob) async throws(WorkError) -> (import: Import, reported: Int) {
        try await jobs.held(job).run([
            Statement(
                """
                update imports i set status = 'importing'
                where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.status in ('uploaded', 'importing')
                returning \(ImportColumns.list)
                """, job.owner.parameters + [.uuid(job.subject)]),
            // Deleted before it was begun.
            .endJob(
                job,
                unlessExists: """
                    select from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = j.subject and i.status = 'importing'
                    """),
            Statement(
                "select count(*) from import_items t where t.tenant_id = $1 and t.user_id = $2 and t.import_id = $3",
                job.owner.parameters + [.uuid(job.subject)]),
        ]) { rows in
            guard var row = rows.first(0) else { throw WorkError.ownerGone }
            return (import: try Import(&row), reported: try rows.one(2) { try $0.count() } ?? 0)
        }
    }

    package func noteContents(_ job: LeasedJob, source: ImportSource, total: Int64) async throws(WorkError) {
        let rows = try await jobs.held(
            job,
            [
                Statement(
                    "update imports i set source = $4, entries_total = $5 where i.tenant_id = $1 and i.user_id = $2 and i.id = $3",
                    job.owner.parameters + [.uuid(job.subject), .text(source.rawValue), .int(total)])
            ])
        guard rows.last?.affected == 1 else { throw .ownerGone }
    }

    package func known(
        _ ids: [EntryID], recordings: [[UInt8]], before: Date, of owner: Owner
    ) async throws(WorkError) -> KnownEntries {
        try await transaction.forWorker(owner).run([
            Statement(
                """
                select e.id, e.deleted_at is null, e.trash_ends_at is not null from entries e
                where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($3)
                """, owner.parameters + [.uuids(ids.map(\.uuid))]),
            Statement(
                """
                select e.sha256, e.id from unnest($3::text[]) as d (digest)
                join entries e on e.tenant_id = $1 and e.user_id = $2 and e.sha256 = decode(d.digest, 'hex')
                where e.deleted_at is null and coalesce(e.uploaded_at, e.created_at) < $4
                    -- One that never came, that failed its check or that was removed is not there.
                    and e.audio_removed_at is null and e.status <> 'awaiting_upload' and not (e.status = 'failed' and e.stage = $5)
                """,
                owner.parameters + [
                    .texts(recordings.map { Hex.encode($0) }), .timestamp(before), .text(JobKind.verify.rawValue),
                ]),
            Statement(
                """
                select s.stored_bytes, u.disabled_at is not null from user_sync s
                join users u on u.tenant_id = s.tenant_id and u.id = s.user_id where s.tenant_id = $1 and s.user_id = $2
                """, owner.parameters),
        ]) { rows in
            var known = KnownEntries()
            for var row in rows[0] {
                let (id, isThere, isInTrash) = (EntryID(try row.uuid()), try row.bool(), try row.bool())
                known.ids[id] = isThere ? .there : isInTrash ? .inTrash : .deleted
            }
            for var row in rows[1] {
                let digest = try row.bytes()
                known.recordings[digest] = EntryID(try row.uuid())
            }
            if var row = rows.first(2) { (known.storedBytes, known.isDisabled) = (try row.int(), try row.bool()) }
            return known
        }
    }

    package func compared(_ id: EntryID, of owner: Owner) async throws(WorkError) -> ComparedEntry? {
        try await transaction.forWorker(owner).one(
            """
            select e.recorded_at, e.favorite, e.audio_removed_at is not null and e.sha256 is null, e.personal, e.personal_version,
                e.machine, e.machine_version
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
            """, owner.parameters + [.uuid(id.uuid)]
        ) { row in
            ComparedEntry(
                recordedAt: try row.date(), favorite: try row.bool(), lacksRecording: try row.bool(),
                personal: try row.sealedColumnOrNil(), machine: try row.sealedColumnOrNil())
        }
    }

    package func addTags(_ tags: [StoredTag], most: Int, keyID: UUID, _ job: LeasedJob) async throws(WorkError) {
        try await jobs.held(
            job, key: keyID,
            [
                Statement(
                    """
                    insert into tags (tenant_id, user_id, hash, sealed, key_id)
                    select $1, $2, n.hash, decode(n.sealed, 'hex'), $5 from unnest($3::bigint[], $4::text[]) n (hash, sealed)
                    limit greatest(0, $6 - (select count(*) from tags o where o.tenant_id = $1 and o.user_id = $2))
                    on conflict on constraint tags_pk do nothing
                    """,
                    job.owner.parameters + [
                        .ints(tags.map(\.hash)), .texts(tags.map { Hex.encode($0.sealed) }), .uuid(keyID), .int(most),
                    ])
            ])
    }

    package func addSpeakers(
        _ speakers: [(id: SpeakerID, sealed: [UInt8])], keyID: UUID, _ job: LeasedJob
    ) async throws(WorkError) {
        let named = job.owner.parameters + [.uuid(job.subject)]
        try await jobs.held(job, key: keyID, [ImportedEntryInsert.profiles(speakers, keyID: keyID, named, where: "$3::uuid is not null")])
    }

    package func write(_ step: ImportStep, _ job: LeasedJob) async throws(WorkError) {
        let subject = job.owner.parameters + [.uuid(job.subject)]
        var statements = step.entries.flatMap { ImportedEntryInsert.statements($0, step, of: job) }
        if !step.items.isEmpty { statements.append(Self.insertion(of: step, subject)) }
        statements.append(
            Statement(
                """
                update imports i set entries_done = $4, created = i.created + $5, unchanged = i.unchanged + $6, skipped = i.skipped + $7,
                    failed = i.failed + $8
                where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.entries_done = $9
                """,
                subject + [
                    .int(step.done), .int(step.counts.created), .int(step.counts.unchanged), .int(step.counts.skipped),
                    .int(step.counts.failed), .int(step.from),
                ]))
        statements.append(
            Statement("select i.entries_done from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3", subject))
        try await jobs.held(job, key: step.keyID).run(statements) { rows in
            guard let row = rows.last?.first else { throw WorkError.ownerGone }
            guard try row.int(0) == step.done else { throw WorkError.leaseLost }
        }
    }

    /// One statement for all the lines of a step, so that those that are there are counted once. Ids and names, which may be null, are
    /// texts in it.
    private static func insertion(of step: ImportStep, _ subject: [Parameter]) -> Statement {
        let items = step.items.map(\.item)
        return Statement(
            """
            insert into import_items (tenant_id, user_id, import_id, number, outcome, code, entry_id, count, name, key_id)
            select $1, $2, $3, n.number, n.outcome, n.code, nullif(n.entry_id, '')::uuid, n.count, decode(nullif(n.name, ''), 'hex'), $10
            from imports i, unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
                as n (number, outcome, code, entry_id, count, name)
            where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.entries_done = $11
            order by n.number
            limit greatest(0, $12 - (select count(*) from import_items t where t.tenant_id = $1 and t.user_id = $2 and t.import_id = $3))
            on conflict do nothing
            """,
            subject + [
                .ints(items.map(\.number)), .texts(items.map(\.outcome.rawValue)), .texts(items.map(\.code.rawValue)),
                .texts(items.map { $0.entry?.description ?? "" }), .ints(items.map { Int64(Int32(clamping: $0.count)) }),
                .texts(step.items.map { $0.name.map { Hex.encode($0) } ?? "" }), .uuid(step.keyID), .int(step.from), .int(ImportItem.most),
            ])
    }

    package func finishImport(_ job: LeasedJob) async throws(WorkError) -> JobKind? {
        try await jobs.finish(
            job,
            """
            ended as (
                update imports i set status = 'finished', finished_at = clock_timestamp()
                where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 returning i.id)
            """, for: "ended")
    }

    static func failed(_ job: LeasedJob, code: ProcessingCode) -> Statement {
        Statement(
            """
            update imports set status = 'failed', code = $4, finished_at = clock_timestamp()
            where tenant_id = $1 and user_id = $2 and id = $3 and status in ('uploaded', 'importing')
            """, job.owner.parameters + [.uuid(job.subject), .text(code.rawValue)])
    }
}
