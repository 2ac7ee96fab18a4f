import DiaryCore
import FoundationEssentials
import PostgresClient

/// Statements that delete an entry, or end one that is in the trash, with what other tables have of it.
enum EntryDeletion {
    private static let delete = SQL(
        """
        with gone as (
            update entries e set deleted_at = clock_timestamp(), updated_at = clock_timestamp(), change_number = s.change_number,
                personal = null, machine = null, stage = null, stage_next_at = null, stage_code = null, sha256 = null,
                rerun_from = null, asked_engine = null, asked_language = null
            from user_sync s, \(before)
            where s.tenant_id = $1 and s.user_id = $2 and e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and b.id = e.id
                and e.deleted_at is null and ($4::bigint is null or e.personal_version = $4)
            returning \(EntryColumns.list), e.day_changed_at, b.number_before),
        \(others),
        \(work)
        \(withCopy)
        """)

    /// Common table expressions that delete what the entry of `gone` has in other tables.
    static let others = """
        segments as (delete from entry_segments s using gone g where s.tenant_id = $1 and s.user_id = $2 and s.entry_id = g.id),
        corrections as (delete from segment_corrections c using gone g where c.tenant_id = $1 and c.user_id = $2 and c.entry_id = g.id),
        revisions as (delete from entry_revisions r using gone g where r.tenant_id = $1 and r.user_id = $2 and r.entry_id = g.id),
        parts as (delete from speech_parts p using gone g where p.tenant_id = $1 and p.user_id = $2 and p.entry_id = g.id)
        """

    /// The entry `$3` as it was, for the update that makes the `gone` of `work`; that returns `b.number_before`.
    static let before = """
        (select o.id, o.change_number as number_before from entries o where o.tenant_id = $1 and o.user_id = $2 and o.id = $3) b
        """

    /// Statements that end its jobs and revoke the zips that may hold it: also those of tags, since it may have had other tags when they were made.
    static let work = """
        jobs as (
            update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null from gone g
            where j.tenant_id = $1 and j.user_id = $2 and j.subject = g.id and j.state = 'ready'),
        exports as (
            update exports x set revoked_at = clock_timestamp(), revoked_reason = 'entry_deleted',
                mail_status = case x.mail_status when 'waiting' then 'failed' else x.mail_status end
            where x.tenant_id = $1 and x.user_id = $2 and x.id = any (array(
                select y.id from exports y, gone g
                where y.tenant_id = $1 and y.user_id = $2 and y.revoked_at is null
                    and y.status = 'ready' and y.expires_at > clock_timestamp() and y.ready_at >= g.created_at
                    and (g.local_date between y.from_day and y.to_day or y.created_at < g.day_changed_at)
                    and (y.kind is null or y.kind = g.kind) and (y.entry_ids is null or g.id = any (y.entry_ids))
                    and (y.changed_after is null or y.changed_after < g.number_before)
                order by y.id for update of y)))
        """

    /// Reads the entry of `gone` with its copy, whose row goes when the statement ends (trigger `entries_rendition`).
    static let withCopy = """
        select \(EntryColumns.list), \(CopyColumns.list) from gone e
        left join entry_renditions r on r.tenant_id = $1 and r.user_id = $2 and r.entry_id = e.id
        """

    /// An entry in the trash ends there: it keeps its place in the feed, where it is a tombstone already, and the time of its deletion. A later
    /// number would make old tombstones look new, and positions before them expired.
    private static let end = SQL(
        """
        with gone as (
            update entries e set trash_ends_at = null, personal = null, machine = null, stage = null, stage_next_at = null, stage_code = null,
                sha256 = null, rerun_from = null, asked_engine = null, asked_language = null
            where e.tenant_id = $1 and e.user_id = $2 and e.id = $3
                and e.trash_ends_at is not null and (not $4 or e.trash_ends_at <= clock_timestamp())
                and ($5::bigint is null or e.personal_version = $5)
            returning \(EntryColumns.list)),
        \(others)
        \(withCopy)
        """)

    /// - Parameter onlyWhenDue: not before its time in the trash has ended.
    static func end(_ id: EntryID, onlyWhenDue: Bool, expecting version: Int64? = nil, of owner: Owner) -> Statement {
        Statement(end, owner.parameters + [.uuid(id.uuid), .bool(onlyWhenDue), .int(version)])
    }

    static func lock(_ keyID: UUID, _ owner: Owner) -> Statement {
        Statement("select bump_change($1, $2, $3)", owner.parameters + [.uuid(keyID)])
    }

    /// The lock is a statement of its own, so that the next one sees and deletes what a worker committed during the wait
    /// (segments, the next job). Ready zips that may hold the entry are revoked; one that was finished before the entry was made does not
    /// hold it. An entry that has been on another day may be in a zip of that day. A zip that is being built goes on: it holds the entry if
    /// its snapshot is older than this deletion.
    static func statement(_ id: EntryID, expecting version: Int64?, of owner: Owner) -> Statement {
        Statement(delete, owner.parameters + [.uuid(id.uuid), .int(version)])
    }
}
