package import DiaryCore
package import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    /// One row for each revision; one of nulls for an entry without any. Lengths are read without reading the texts.
    private static let revisions = SQL(
        """
        select r.number, r.created_at, r.sealed, r.found from entries e
        left join lateral (
            select * from (
                select q.*, count(*) over () as found, row_number() over (order by q.number desc) as place,
                    sum(q.bytes) over (order by q.number desc) as running
                from (
                    select o.number, o.created_at, o.sealed, octet_length(o.sealed) as bytes from entry_revisions o
                    where o.tenant_id = $1 and o.user_id = $2 and o.entry_id = $3 and o.layer = $4
                        and ($5::bigint is null or o.number < $5)
                    order by o.number desc limit $6 + 1) q) p
            where p.place <= $6 and p.running - p.bytes < 2097152) r on true
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        order by r.number desc
        """)

    package func revisions(
        of id: EntryID, _ layer: TextLayer, before number: Int64?, limit: Int, of member: Member
    ) async throws(DiaryError) -> RevisionPage? {
        let page = Statement(
            Self.revisions, member.owner.parameters + [.uuid(id.uuid), .text(layer.rawValue), .int(number), .int(limit)])
        return try await transaction.of(member).run([page]) { rows in
            guard let first = rows.first(0) else { return nil }
            guard try !first.nextIsNull() else { return RevisionPage([], more: false) }
            var found: Int64 = 0
            let revisions = try rows[0].all { row in
                let (version, createdAt) = (try row.int(), try row.date())
                let sealed = SealedColumn(bytes: try row.bytes(), version: version)
                found = try row.int()
                return StoredRevision(sealed: sealed, createdAt: createdAt)
            }
            return RevisionPage(revisions, more: found > revisions.count)
        }
    }

    package func reprocess(
        _ id: EntryID, _ run: NewRun, within limits: UsageLimits, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        let kind = run.stage.kind
        // Any but the first: a recording whose check failed is retried, or uploaded again.
        let (running, restartable) = (JobCatalogue.diary.stage(kind)?.running ?? .transcribing, JobCatalogue.diary.stages.dropFirst())
        return try await enqueue(
            member, id,
            Statement(
                """
                with bump as (select bump_change($1, $2, $3) as seq),
                again as (
                    update entries e set status = $7, updated_at = clock_timestamp(), change_number = bump.seq,
                        stage = $6, stage_attempt = 0, stage_next_at = null, stage_code = null,
                        rerun_from = case when e.status = 'transcribed' then $6 end, asked_engine = $8, asked_language = $9
                    from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null
                        and (e.kind = 'voice' or $14 and $6 = '\(JobKind.clean.rawValue)')
                        and (e.status = 'transcribed' or e.status = 'failed' and e.stage = any ($10))
                        -- Recognition needs the recording, a later stage what was recognised.
                        and case when $6 = '\(JobKind.transcribe.rawValue)'
                            then e.object_id is not null and e.audio_removed_at is null and (\(Self.isOverDay("$13"))) is not true
                            else e.machine is not null or e.kind = 'text' end
                    returning \(EntryColumns.list)),
                job as (\(JobInsertion.sql(id: "$5", kind: "$6", subject: "a.id", cost: Self.cost("$6"), from: "again a")) on conflict do nothing),
                claim as (\(KeyClaim.insert(.reprocess, from: "again a", keyHash: "$11", requestHash: "$12", subject: "a.id")))
                select * from again
                """,
                member.owner.parameters + [
                    .uuid(keyID), .uuid(id.uuid), .uuid(job.uuid), .text(kind.rawValue), .text(running.rawValue), .text(run.engine),
                    .text(run.language), .texts(restartable.map(\.rawValue)), .bytes(claim?.keyHash), .bytes(claim?.requestHash),
                    .double(limits.secondsPerDay), .bool(run.describesTexts),
                ]))
    }

    /// Of a stage of the entry `a`.
    static func cost(_ stage: String) -> String {
        "case \(stage) when '\(JobKind.clean.rawValue)' then \(JobCost.small) else \(JobInsertion.cost(ofEntry: "a")) end"
    }
}
