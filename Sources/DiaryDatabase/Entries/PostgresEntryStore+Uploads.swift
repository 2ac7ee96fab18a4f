package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func uploadState(_ object: UUID, of owner: Owner) async throws(DiaryError) -> UploadState {
        let state = Statement(
            """
            select e.status = 'awaiting_upload' from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and e.deleted_at is null
                and e.stage_code is distinct from $4 and account_is_open($1, $2)
            """, Self.parameters(object, owner))
        do {
            guard let row = try await uploadTransaction.run(owner, [state]).first(0) else { return .gone }
            return try row.bool(0) ? .awaiting : .finished
        } catch {
            throw error.forClient
        }
    }

    package func uploadArrived(_ object: UUID, of owner: Owner) async throws(DiaryError) -> Bool {
        let mark = Statement(
            """
            update entries set uploaded_at = clock_timestamp()
            where tenant_id = $1 and user_id = $2 and object_id = $3 and deleted_at is null and status = 'awaiting_upload'
            """, owner.parameters + [.uuid(object)])
        let wanted = Statement(
            """
            select 1 from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
            where e.tenant_id = $1 and e.user_id = $2 and e.object_id = $3 and e.deleted_at is null
                and e.stage_code is distinct from $4 and u.deleted_at is null
            """, Self.parameters(object, owner))
        do { return try await uploadTransaction.run(owner, [mark, wanted]).first(1) != nil } catch { throw error.forClient }
    }

    static func parameters(_ object: UUID, _ owner: Owner) -> [Parameter] {
        owner.parameters + [.uuid(object), .text(ProcessingCode.uploadExpired.rawValue)]
    }

    package func completeUpload(
        _ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        try await enqueue(
            member, id,
            Statement(
                """
                with bump as (select bump_change($1, $2, $3) as seq),
                uploaded as (
                    update entries e set status = 'uploaded', uploaded_at = clock_timestamp(), size_bytes = $6, updated_at = clock_timestamp(),
                        change_number = bump.seq, stage = $7, stage_attempt = 0, stage_next_at = null, stage_code = null
                    from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.status = 'awaiting_upload'
                    returning \(EntryColumns.list)),
                job as (\(JobInsertion.sql(id: "$5", kind: "$7", subject: "u.id", cost: "$8", from: "uploaded u")) on conflict do nothing)
                select * from uploaded
                """,
                member.owner.parameters + [
                    .uuid(keyID), .uuid(id.uuid), .uuid(job.id.uuid), .int(size), .text(job.kind.rawValue), .double(job.cost),
                ]))
    }

    package func retry(_ id: EntryID, keyID: UUID, job: JobID, by member: Member) async throws(DiaryError) -> CompleteOutcome {
        // Each stage has its restart in the catalogue; a stage of a later version has none and is not retried. A fault of the recording
        // itself (unreadable, too long …) gives the same result each time.
        let restarts = JobCatalogue.diary.restarts
        return try await enqueue(
            member, id,
            Statement(
                """
                with bump as (select bump_change($1, $2, $3) as seq),
                again as (
                    update entries e set status = r.status, updated_at = clock_timestamp(), change_number = bump.seq,
                        stage = r.restart, stage_attempt = 0, stage_next_at = null, stage_code = null
                    from bump, unnest($7::text[], $8::text[], $9::text[]) as r (failed, restart, status)
                    where r.failed = e.stage and e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.status = 'failed'
                        and e.kind = 'voice' and (e.stage_code = any ($6)) is not true
                    returning \(EntryColumns.list)),
                job as (\(JobInsertion.sql(id: "$5", kind: "a.stage", subject: "a.id", cost: JobInsertion.cost(ofEntry: "a"), from: "again a")) on conflict do nothing)
                select * from again
                """,
                member.owner.parameters + [
                    .uuid(keyID), .uuid(id.uuid), .uuid(job.uuid),
                    .texts(ProcessingCode.allCases.filter { !$0.retryableByOwner }.map(\.rawValue)),
                    .texts(restarts.map(\.failed.rawValue)), .texts(restarts.map(\.restart.rawValue)),
                    .texts(restarts.map(\.status.rawValue)),
                ]))
    }

    private func enqueue(_ member: Member, _ id: EntryID, _ statement: Statement) async throws(DiaryError) -> CompleteOutcome {
        let rows = try await transaction.run(
            member,
            [
                statement,
                Statement(
                    "select \(EntryColumns.list) from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null",
                    member.owner.parameters + [.uuid(id.uuid)]),
            ])
        return try decoding { () throws(DatabaseError) in
            if let row = rows.first(0) { return .enqueued(try StoredEntry(row)) }
            if let row = rows.first(1) { return .already(try StoredEntry(row)) }
            return .missing
        }
    }
}
