package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// The row of an entry in the trash is a tombstone that has kept its words: statements that ask for `deleted_at is null` do not see it.
extension PostgresEntryStore: TrashStore {
    private static let move = SQL(
        """
        with gone as (
            update entries e set deleted_at = clock_timestamp(), trash_ends_at = clock_timestamp() + make_interval(days => $5),
                updated_at = clock_timestamp(), change_number = s.change_number
            from user_sync s, \(EntryDeletion.before)
            where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and b.id = e.id
                and e.deleted_at is null and ($4::bigint is null or e.personal_version = $4)
            returning \(EntryColumns.list), e.day_changed_at, b.number_before),
        \(EntryDeletion.work)
        \(EntryDeletion.withCopy)
        """)

    private static func move(_ id: EntryID, expecting version: Int64?, days: Int, of owner: Owner) -> Statement {
        Statement(move, owner.parameters + [.uuid(id.uuid), .int(version), .int4(Int32(clamping: days))])
    }

    package func moveToTrash(
        _ id: EntryID, expecting version: Int64?, days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        try await write(
            member, EntryDeletion.lock(keyID, member.owner), Self.move(id, expecting: version, days: days, of: member.owner), entry: id
        ) { try StoredRecording(&$0) }
    }

    package func moveToTrash(
        _ ids: [EntryID], days: Int, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> [BatchDeletion] {
        try await delete(ids, keyID: keyID, by: member) { Self.move($0, expecting: nil, days: days, of: member.owner) }
    }

    /// Parameters: tenant, user, time and id of the position, limit.
    private static let list = SQL(
        bounded(
            """
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.trash_ends_at is not null and e.trash_ends_at > statement_timestamp()
                and (e.deleted_at, e.id)
                    < (coalesce($3, 'infinity'::timestamptz), coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
            """, columns: EntryColumns.trash, limit: "$5"
        ) { "\($0)deleted_at desc, \($0)id desc" })

    package func trash(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> EntryPage {
        let page = Statement(Self.list, member.owner.parameters + [.timestamp(position?.at), .uuid(position?.id), .int(limit)])
        return try await transaction.of(member).run([page]) { try EntryPage($0[0]) }
    }

    /// The time in the trash does not count for the upload. The wall clock is written again so that the trigger `entries_day` computes the day:
    /// `day_ends_at` may have changed. `$5` to `$8` are the states that wait for a job: status, stage (empty without one), the job's kind, and
    /// the status before that job.
    private static let back = SQL(
        """
        with back as (
            update entries e set deleted_at = null, trash_ends_at = null, updated_at = clock_timestamp(), change_number = s.change_number,
                recorded_local = e.recorded_local, upload_expires_at = e.upload_expires_at + (clock_timestamp() - e.deleted_at),
                status = coalesce(w.waiting, e.status), stage = coalesce(w.kind, e.stage),
                stage_attempt = case when w.kind is null then e.stage_attempt else 0 end,
                stage_next_at = case when w.kind is null then e.stage_next_at end,
                stage_code = case when w.kind is null then e.stage_code end
            from user_sync s, (select x.id, a.kind, a.waiting from entries x
                left join unnest($5::text[], $6::text[], $7::text[], $8::text[]) as a (status, stage, kind, waiting)
                    on a.status = x.status and a.stage = coalesce(x.stage, '')
                where x.tenant_id = $1 and x.user_id = $2 and x.id = $3) w
            where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and w.id = e.id
                and e.trash_ends_at > clock_timestamp() and ($4::uuid is not null or w.kind is null)
            returning \(EntryColumns.list), w.kind as job),
        job as (\(JobInsertion.sql(
            id: "$4", kind: "b.job", subject: "b.id", cost: JobInsertion.cost(ofEntry: "b"), from: "back b where b.job is not null"))
            on conflict do nothing)
        select * from back
        """)

    private static let left = SQL(
        """
        select \(EntryColumns.list) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.trash_ends_at > clock_timestamp()
        """)

    package func restore(_ id: EntryID, keyID: UUID, job: JobID?, by member: Member) async throws(DiaryError) -> RestoreOutcome {
        let catalogue = JobCatalogue.diary
        var waiting: [(status: String, stage: String, kind: String, before: String)] = []
        for status in EntryStatus.allCases {
            for stage in [nil] + catalogue.stages.map(Optional.some) {
                guard let kind = catalogue.awaited(status, stage: stage), let before = catalogue.stage(kind)?.waiting else { continue }
                waiting.append((status.rawValue, stage?.rawValue ?? "", kind.rawValue, before.rawValue))
            }
        }
        return try await transaction.of(member).run([
            EntryDeletion.lock(keyID, member.owner),
            Statement(
                Self.back,
                member.owner.parameters + [
                    .uuid(id.uuid), .uuid(job?.uuid), .texts(waiting.map(\.status)), .texts(waiting.map(\.stage)),
                    .texts(waiting.map(\.kind)), .texts(waiting.map(\.before)),
                ]),
            Self.unwritten(id, of: member.owner), Statement(Self.left, member.owner.parameters + [.uuid(id.uuid)]),
            // A consent that was given meanwhile has not queued what was in the trash.
            ConsentedEntries.queueing(id, of: member.owner),
            Statement(Self.live, member.owner.parameters + [.uuid(id.uuid)]),
        ]) { rows in
            if var row = rows.first(1) {
                let restored = try StoredEntry(&row)
                let job = try row.textOrNil().map { JobKind(rawValue: $0) }
                guard restored.facts.processing?.code == .consentRequired, var later = rows.first(5) else {
                    return .restored(restored, job: job)
                }
                let queued = try StoredEntry(&later)
                return .restored(queued, job: queued.facts.processing?.code == nil ? queued.facts.processing?.stage : nil)
            }
            if var row = rows.first(2) { return .already(try StoredEntry(&row)) }
            return rows.first(3) == nil ? .missing : .needsJob
        }
    }

    package func endTrash(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        try await transaction.of(member).run([
            EntryDeletion.lock(keyID, member.owner),
            EntryDeletion.end(id, onlyWhenDue: false, expecting: version, of: member.owner),
            Statement(Self.left, member.owner.parameters + [.uuid(id.uuid)]),
        ]) { rows in
            if var row = rows.first(1) { return .written(try StoredRecording(&row)) }
            if var row = rows.first(2) { return .conflict(try StoredEntry(&row)) }
            return .missing
        }
    }
}
