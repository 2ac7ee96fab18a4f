import DiaryCore
import PostgresClient

/// Statements that create an entry, and that read the conflicting one when nothing was inserted.
enum EntryInsert {
    static func statement(_ entry: NewEntry, of owner: Owner) -> Statement {
        var parameters = values(entry, of: owner)
        if let idempotency = entry.idempotencyHash { parameters.append(.bytes(idempotency)) }
        if let job = entry.describing { parameters += [.uuid(job.uuid), .text(JobKind.clean.rawValue)] }
        if let segments = entry.segments { parameters.append(.bytes(segments)) }
        let form = (entry.idempotencyHash == nil ? 0 : 1) + (entry.describing == nil ? 0 : 2) + (entry.segments == nil ? 0 : 4)
        return Statement(texts[form], parameters)
    }

    private static let texts = (0..<8).map { SQL(text(claiming: $0 & 1 != 0, describing: $0 & 2 != 0, timed: $0 & 4 != 0)) }

    /// Parameters: those of `values`, then the hash of the idempotency key, then id and kind of the job that describes or cleans its words,
    /// then sealed segments.
    private static func text(claiming: Bool, describing: Bool, timed: Bool) -> String {
        let claim = """
            claim as (
                insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)
                values ($1, $2, 'entry', $27, $14, $3) on conflict do nothing returning subject),

            """
        let bumped = "with \(claiming ? claim : "")bump as (select \(bump) as seq\(claiming ? " from claim" : ""))"
        var last = claiming ? 27 : 26
        func next() -> String {
            last += 1
            return "$\(last)"
        }
        var (stage, others): (String, [String]) = ("null", [])
        if describing {
            let (job, kind) = (next(), next())
            stage = kind
            others.append("job as (\(JobInsertion.sql(id: job, kind: kind, subject: "m.id", from: "made m")) on conflict do nothing)")
        }
        if timed {
            others.append(
                """
                spoken as (
                    insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                    select $1, $2, m.id, \(next()), 1, $15 from made m)
                """)
        }
        guard !others.isEmpty else { return "\(bumped)\n\(insert(stage: stage))" }
        return """
            \(bumped),
            made as (\(insert(stage: stage))),
            \(others.joined(separator: ",\n"))
            select * from made
            """
    }

    /// Refuses a recording that passes the account's storage limit, or that the account has already.
    private static let bump = "bump_change_for_recording($1, $2, $15, $3, $9, $20, $21)"

    /// The entry that a refused recording repeats: rather one that has it than one for which it was only announced.
    static let duplicate = SQL(
        """
        select e.id from entries e where e.tenant_id = $1 and e.user_id = $2 and e.sha256 = $3 and e.deleted_at is null
        order by e.status = 'awaiting_upload' or e.status = 'failed' and e.stage is not distinct from '\(JobKind.verify.rawValue)',
            e.created_at, e.id
        limit 1
        """)

    static let known = SQL(
        """
        select e.request_hash, e.request_hash, \(EntryColumns.list) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3
        """)

    /// What `known` reads, without texts, for a batch: a hundred of the largest are too much for one answer.
    static let knownWithoutTexts = SQL(
        """
        select e.request_hash, e.request_hash, \(EntryColumns.withoutTexts) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3
        """)

    static let claimed = SQL(
        """
        select k.request_hash, e.request_hash, \(EntryColumns.list) from idempotency_keys k
        left join entries e on e.tenant_id = k.tenant_id and e.user_id = k.user_id and e.id = k.subject
        where k.tenant_id = $1 and k.user_id = $2 and k.operation = 'entry' and k.key_hash = $3
        """)

    /// - Parameter stage: of a run on finished words: when it fails, a typed text is finished as before.
    private static func insert(stage: String) -> String {
        """
        insert into entries as e (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, created_at, updated_at,
            duration_s, size_bytes, content_type, sha256, language, object_id, request_hash, key_id, personal, personal_version, favorite,
            label_hashes, upload_expires_at, keep_audio, machine, machine_version, recognise, on_device, stage, rerun_from)
        select $1, $2, $3, $4, $5, bump.seq, place.moment, place.zone, place.moment at time zone place.zone, clock_timestamp(), clock_timestamp(),
            $8, $9, $10, $11, $12, $13, $14, $15, $16, 1, $17, $18,
            clock_timestamp() + make_interval(secs => $19), $22, $24, case when $24::bytea is null then 0 else 1 end, $25, $26, \(stage),
            case when $4 = 'text' then \(stage) end
        from bump, (
            select z.name as zone, coalesce($23::timestamptz at time zone 'UTC' at time zone z.name, $6) as moment
            from (select coalesce(zone_name($7), u.time_zone) as name from users u where u.tenant_id = $1 and u.id = $2) z) place
        on conflict on constraint entries_pk do nothing returning \(EntryColumns.list)
        """
    }

    private static func values(_ entry: NewEntry, of owner: Owner) -> [Parameter] {
        let facts = entry.facts
        return owner.parameters + [
            .uuid(entry.id.uuid), .text(facts.kind.rawValue),
            .text(status(of: entry).rawValue),
            .timestamp(entry.recordedAt), .text(facts.timeZone), .double(facts.durationSeconds), .int(facts.sizeBytes),
            .text(facts.contentType), .bytes(facts.sha256), .text(facts.language), .uuid(entry.object), .bytes(entry.requestHash),
            .uuid(entry.keyID), .bytes(entry.personal), .bool(facts.favorite), .labels(entry.labelHashes),
            .double(isAwaited(entry) ? Double(entry.uploadWindowSeconds) : nil), .int(entry.storageLimit), .bytes(entry.uniqueDigest),
            .bool(facts.keepAudio), .timestamp(entry.wallClock), .bytes(entry.machine), .text(entry.recognise?.rawValue),
            .bool(entry.isOnDevice),
        ]
    }

    private static func isAwaited(_ entry: NewEntry) -> Bool { entry.facts.kind == .voice && !entry.isOnDevice }

    private static func status(of entry: NewEntry) -> EntryStatus {
        if isAwaited(entry) { return .awaitingUpload }
        return entry.describing == nil ? .transcribed : JobCatalogue.diary.stage(.clean)?.waiting ?? .cleaning
    }
}
