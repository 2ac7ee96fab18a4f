package import DiaryCore
import FoundationEssentials

extension PostgresWorkStore {
    package func beginEntry(_ job: LeasedJob) async throws(WorkError) -> StoredEntry {
        let status: EntryStatus =
            switch job.kind {
            case .transcribe: .transcribing
            case .clean: .cleaning
            default: .uploaded
            }
        let rows = try await held(
            job,
            [
                Statement(
                    """
                    update entries e set status = $4, stage = $5, stage_attempt = $6, stage_next_at = null, updated_at = clock_timestamp(),
                        change_number = s.change_number
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    returning \(EntryColumns.list)
                    """,
                    job.owner.parameters + [
                        .uuid(job.subject), .text(status.rawValue), .text(job.kind.rawValue), .int4(Int32(clamping: job.errors + 1)),
                    ]),
                // The entry was deleted meanwhile: there is nothing left to do.
                Statement(
                    """
                    update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
                    where j.id = $3 and j.attempt = $4 and not exists (
                        select from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = j.subject and e.deleted_at is null)
                    """, job.owner.parameters + job.fence),
            ])
        return try entry(rows)
    }

    package func finishVerify(_ job: LeasedJob, facts: MediaFacts, size: Int64, sha256: [UInt8], next: JobID) async throws(WorkError) {
        _ = try await finish(
            job, key: nil,
            Statement(
                """
                with verified as (
                    update entries e set duration_s = $4, size_bytes = $5, sha256 = $6, stage = 'transcribe', stage_attempt = 0, stage_code = null,
                        updated_at = clock_timestamp(), change_number = s.change_number
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
                    returning e.id)
                insert into jobs (id, tenant_id, user_id, kind, subject) select $7, $1, $2, 'transcribe', v.id from verified v
                """,
                job.owner.parameters + [
                    .uuid(job.subject), .double(facts.durationSeconds), .int(size), .bytes(sha256), .uuid(next.uuid),
                ]))
    }

    package func finishTranscribe(
        _ job: LeasedJob, machine: SealedResult, segments: SealedResult, language: String, next: JobID
    ) async throws(WorkError) {
        _ = try await finish(
            job, key: machine.keyID,
            Statement(
                """
                with heard as (
                    update entries e set status = 'cleaning', machine = $4, machine_version = $5, language = $6, stage = 'clean', stage_attempt = 0,
                        stage_code = null, updated_at = clock_timestamp(), change_number = s.change_number
                    from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                        and e.deleted_at is null and e.machine_version = $5 - 1
                    returning e.id),
                words as (
                    insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) select $1, $2, h.id, $7, $8, $9 from heard h
                    on conflict on constraint entry_segments_pk do update set sealed = excluded.sealed, version = excluded.version, key_id = excluded.key_id)
                insert into jobs (id, tenant_id, user_id, kind, subject) select $10, $1, $2, 'clean', h.id from heard h
                """,
                job.owner.parameters + [
                    .uuid(job.subject), .bytes(machine.sealed), .int(machine.version), .text(language), .bytes(segments.sealed),
                    .int(segments.version),
                    .uuid(segments.keyID), .uuid(next.uuid),
                ]))
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

    package func finishClean(_ job: LeasedJob, machine: SealedResult) async throws(WorkError) {
        _ = try await finish(
            job, key: machine.keyID,
            Statement(
                """
                update entries e set status = 'transcribed', machine = $4, machine_version = $5, stage = null, stage_attempt = 0, stage_code = null,
                    stage_next_at = null, updated_at = clock_timestamp(), change_number = s.change_number
                from user_sync s where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                    and e.deleted_at is null and e.machine_version = $5 - 1
                """, job.owner.parameters + [.uuid(job.subject), .bytes(machine.sealed), .int(machine.version)]))
    }

    /// Change number (and the check that the key is live), then the fenced end of the job, then its result: one transaction.
    func finish(_ job: LeasedJob, key: UUID?, _ statements: Statement...) async throws(WorkError) -> [Rows] {
        let lock = key.map { Statement("select bump_change($1, $2, $3)", job.owner.parameters + [.uuid($0)]) } ?? Self.touch(job.owner)
        do {
            let rows = try await transaction.run(job.owner, [lock, Statement("select finish_job($1, $2)", job.fence)] + statements)
            return Array(rows.dropFirst(2))
        } catch {
            throw error.forWorker
        }
    }

    private func entry(_ rows: [Rows]) throws(WorkError) -> StoredEntry {
        guard let row = rows.first(0) else { throw .ownerGone }
        do { return try StoredEntry(row) } catch { throw error.forWorker }
    }
}
