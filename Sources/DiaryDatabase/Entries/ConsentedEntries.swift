import DiaryCore
import PostgresClient

/// Recordings that waited for their owner's consent to engines outside the machine, queued once it is there. A run of a finished entry goes on
/// as one: while it runs, and when it fails, the entry shows its present texts.
enum ConsentedEntries {
    /// After the account's lock, and after the consent was written.
    /// - Parameter entry: nil for all.
    static func queueing(_ entry: EntryID? = nil, of owner: Owner) -> Statement {
        let stages = JobCatalogue.diary.stages.compactMap { kind in JobCatalogue.diary.stage(kind).map { (kind: kind, stage: $0) } }
        return Statement(
            """
            with waiting as materialized (
                select e.id, row_number() over (order by e.change_number) as place, count(*) over () as found from entries e
                where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and e.status in ('failed', 'transcribed')
                    and e.stage_code = $3 and e.stage = any ($4) and ($7::uuid is null or e.id = $7)
                    and (e.stage <> '\(JobKind.transcribe.rawValue)' or e.audio_removed_at is null)
                    and exists (
                        select from users u where u.tenant_id = $1 and u.id = $2 and u.hosted_processing_consent_at is not null)),
            bump as (
                update user_sync s set change_number = s.change_number + w.found from (select max(w.found) as found from waiting w) w
                where s.tenant_id = $1 and s.user_id = $2 and s.closed_at is null and w.found > 0
                returning s.change_number - w.found as before),
            again as (
                update entries e set status = case when e.status = 'transcribed' then r.running else r.waiting end,
                    rerun_from = case when e.status = 'transcribed' then e.stage end, stage_attempt = 0, stage_code = null,
                    stage_next_at = null, asked_engine = null, asked_language = null, updated_at = clock_timestamp(),
                    change_number = b.before + w.place
                from waiting w, bump b, unnest($4::text[], $5::text[], $6::text[]) as r (stage, waiting, running)
                where e.tenant_id = $1 and e.user_id = $2 and e.id = w.id and r.stage = e.stage
                returning e.id, e.stage, e.size_bytes, e.duration_s)
            \(JobInsertion.sql(
                id: "gen_random_uuid()", kind: "a.stage", subject: "a.id", cost: PostgresEntryStore.cost("a.stage"), from: "again a"))
            on conflict do nothing
            """,
            owner.parameters + [
                .text(ProcessingCode.consentRequired.rawValue), .texts(stages.map(\.kind.rawValue)),
                .texts(stages.map(\.stage.waiting.rawValue)), .texts(stages.map(\.stage.running.rawValue)), .uuid(entry?.uuid),
            ])
    }
}
