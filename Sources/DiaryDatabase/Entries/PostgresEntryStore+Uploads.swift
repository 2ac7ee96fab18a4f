package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState {
        try await uploadTransaction.forClient(owner).one(
            """
            select e.status = 'awaiting_upload' from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and \(Self.isKept)
                and e.stage_code is distinct from $4 and account_is_open($1, $2)
            """, Self.parameters(object, owner)
        ) { try $0.bool() ? .awaiting : .finished } ?? .gone
    }

    package func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool {
        let mark = Statement(
            """
            update entries e set uploaded_at = clock_timestamp()
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and \(Self.isKept) and e.status = 'awaiting_upload'
            """, owner.parameters + [.uuid(object)])
        let wanted = Statement(
            """
            select e.stage_code is not distinct from $4 from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and \(Self.isKept) and u.deleted_at is null
            """, Self.parameters(object, owner))
        // The entry expired during the PUT. In a transaction of its own: the account's lock comes before the entry's, which `mark` may hold.
        let revive = Statement(
            """
            with bump as (
                update user_sync set change_number = change_number + 1 where tenant_id = $1 and user_id = $2 and closed_at is null
                returning change_number)
            update entries e set \(Self.waiting), uploaded_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = bump.change_number
            from bump where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and e.deleted_at is null and \(Self.expired("$4"))
            """, Self.parameters(object, owner))
        let uploads = uploadTransaction.forClient(owner)
        guard let hasExpired = try await uploads.run([mark, wanted], { try $0.one(1) { try $0.bool() } }) else { return false }
        guard hasExpired else { return true }
        return try await uploads.run([revive, wanted]).first(1) != nil
    }

    /// An entry waits for its recording.
    static let waiting = "status = 'awaiting_upload', stage = null, stage_attempt = 0, stage_next_at = null, stage_code = null"

    /// An entry in the trash takes its recording too: the entry may be restored.
    private static let isKept = "(e.deleted_at is null or e.trash_ends_at is not null)"

    private static func expired(_ code: String) -> String { "e.status = 'failed' and e.stage_code = \(code)" }

    package func reopenUpload(_ id: EntryID, _ reopening: UploadReopening, by member: Member) async throws(DiaryError) -> StoredEntry? {
        // What arrives late for an expired entry is its recording, so the object stays. A refused one is replaced: no upload overwrites it.
        let refused = """
            e.status = 'failed' and e.stage = '\(JobKind.verify.rawValue)'
                and (e.stage_code = any ($7) or e.sha256 is null and e.stage_code = any ($8))
            """
        let statement = Statement(
            """
            with bump as (
                select bump_change_within($1, $2, $3, null, (
                    select e.size_bytes - counted_bytes(e.size_bytes, e.deleted_at, e.status, e.stage_code) from entries e
                    where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null), $10) as seq)
            update entries e set \(Self.waiting), updated_at = clock_timestamp(), change_number = bump.seq,
                upload_expires_at = clock_timestamp() + make_interval(secs => $5),
                object_id = case when \(refused) then $6 else e.object_id end,
                uploaded_at = case when \(refused) then null else e.uploaded_at end,
                part_upload = case when \(refused) then null else e.part_upload end,
                part_bytes = case when \(refused) then null else e.part_bytes end
            from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.kind = 'voice'
                and (e.status = 'awaiting_upload' or \(Self.expired("$9")) or \(refused))
            returning \(EntryColumns.list)
            """,
            member.owner.parameters + [
                .uuid(reopening.keyID), .uuid(id.uuid), .double(Double(reopening.windowSeconds)), .uuid(reopening.object),
                .texts(ProcessingCode.reuploadable.map(\.rawValue)),
                .texts(ProcessingCode.reuploadableWithoutDigest.map(\.rawValue)),
                .text(ProcessingCode.uploadExpired.rawValue), .int(reopening.storageLimit),
            ])
        do { return try await transaction.of(member).one(statement) { try StoredEntry(&$0) } } catch {
            throw try await withStorage(error, most: reopening.storageLimit, member)
        }
    }

    static func parameters(_ object: UUID, _ owner: Owner) -> [Parameter] {
        owner.parameters + [.uuid(object), .text(ProcessingCode.uploadExpired.rawValue)]
    }

    package func completeUpload(
        _ id: EntryID, object: UUID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> (outcome: CompleteOutcome, hasParts: Bool) {
        let complete = Statement(
            """
            with bump as (select bump_change($1, $2, $3) as seq),
            uploaded as (
                update entries e set status = 'uploaded', uploaded_at = clock_timestamp(), size_bytes = $6, updated_at = clock_timestamp(),
                    change_number = bump.seq, stage = $7, stage_attempt = 0, stage_next_at = null, stage_code = null
                from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.object_id = $10 and e.deleted_at is null
                    and (e.status = 'awaiting_upload' or \(Self.expired("$9")))
                returning \(EntryColumns.list), e.part_upload is not null as has_parts),
            job as (\(JobInsertion.sql(id: "$5", kind: "$7", subject: "u.id", cost: "$8", from: "uploaded u")) on conflict do nothing)
            select * from uploaded
            """,
            member.owner.parameters + [
                .uuid(keyID), .uuid(id.uuid), .uuid(job.id.uuid), .int(size), .text(job.kind.rawValue), .double(job.cost),
                .text(ProcessingCode.uploadExpired.rawValue), .uuid(object),
            ])
        return try await transaction.of(member).run(Self.enqueuing(complete, id, member.owner)) { rows in
            var completed = rows.first(0)
            completed?.skip(EntryColumns.count)
            return (outcome: try Self.outcome(rows), hasParts: try completed?.bool() ?? false)
        }
    }

    package func retry(
        _ id: EntryID, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        // A stage of a later version is not in the catalogue and is not retried. A fault of the recording itself (unreadable, too long …)
        // gives the same result each time.
        let restarts = JobCatalogue.diary.restarts
        return try await enqueue(
            member, id,
            Statement(
                """
                with bump as (select bump_change($1, $2, $3) as seq),
                again as (
                    update entries e set status = r.status, updated_at = clock_timestamp(), change_number = bump.seq,
                        stage_attempt = 0, stage_next_at = null, stage_code = null,
                        rerun_from = null, asked_engine = null, asked_language = null
                    from bump, unnest($7::text[], $8::text[]) as r (failed, status)
                    where r.failed = e.stage and e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.status = 'failed'
                        and e.kind = 'voice' and (e.stage_code = any ($6)) is not true and (\(Self.isOverDay("$11"))) is not true
                    returning \(EntryColumns.list)),
                job as (\(JobInsertion.sql(id: "$5", kind: "a.stage", subject: "a.id", cost: Self.cost("a.stage"), from: "again a")) on conflict do nothing),
                claim as (\(KeyClaim.insert(.reprocess, from: "again a", keyHash: "$9", requestHash: "$10", subject: "a.id")))
                select * from again
                """,
                member.owner.parameters + [
                    .uuid(keyID), .uuid(id.uuid), .uuid(job.uuid),
                    .texts(ProcessingCode.allCases.filter { !$0.retryableByOwner }.map(\.rawValue)),
                    .texts(restarts.map(\.stage.rawValue)), .texts(restarts.map(\.status.rawValue)),
                    .bytes(claim?.keyHash), .bytes(claim?.requestHash), .double(limits.secondsPerDay),
                ]))
    }

    /// Whether the entry `e` has failed because its recording is longer than a day's limit, and still is: a worker would refuse it again.
    /// Not where parts of an earlier try are kept, which are not counted again. `$1` and `$2` are tenant and user.
    /// - Parameter seconds: of a day; null without a limit.
    static func isOverDay(_ seconds: String) -> String {
        """
        e.stage_code = '\(ProcessingCode.budgetExceeded.rawValue)' and e.stage = '\(JobKind.transcribe.rawValue)'
            and e.duration_s > \(seconds)
            and not exists (select from speech_parts p where p.tenant_id = $1 and p.user_id = $2 and p.entry_id = e.id)
        """
    }

    func enqueue(_ member: Member, _ id: EntryID, _ statement: Statement) async throws(DiaryError) -> CompleteOutcome {
        try await transaction.of(member).run(Self.enqueuing(statement, id, member.owner), Self.outcome)
    }

    /// The statement, and the entry, which counts when the statement has written nothing.
    private static func enqueuing(_ statement: Statement, _ id: EntryID, _ owner: Owner) -> [Statement] {
        [
            statement,
            Statement(
                "select \(EntryColumns.list) from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null",
                owner.parameters + [.uuid(id.uuid)]),
        ]
    }

    /// - Parameter rows: of `enqueuing`.
    private static func outcome(_ rows: [Rows]) throws(DatabaseError) -> CompleteOutcome {
        if var row = rows.first(0) { return .enqueued(try StoredEntry(&row)) }
        if var row = rows.first(1) { return .already(try StoredEntry(&row)) }
        return .missing
    }
}
