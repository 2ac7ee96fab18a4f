package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresEntryStore: WholeEntryStore {
    package func whole(_ id: EntryID, of member: Member) async throws(DiaryError) -> WholeEntry? {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        return try await transaction.of(member).run([Statement(Self.whole, named), Statement(Self.profilesOfEntry, named)]) { rows in
            guard var row = rows.first(0) else { return nil }
            let (timeZone, locale, storedBytes) = (try row.text(), try row.textOrNil(), try row.int())
            return WholeEntry(
                stored: try StoredExportEntry(&row), timeZone: timeZone, locale: locale,
                profiles: try rows[1].all { try StoredSpeakerProfile(&$0) }, storedBytes: storedBytes)
        }
    }

    private static let whole = SQL(
        """
        select u.time_zone, u.locale, y.stored_bytes, \(ExportRows.columns)
        from entries e join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
        join user_sync y on y.tenant_id = e.tenant_id and y.user_id = e.user_id \(ExportRows.joins)
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """)

    package func copy(_ copy: NewEntryCopy, by member: Member) async throws(DiaryError) -> StoredEntry? {
        do {
            return try await transaction.of(member).run(Self.copy(copy, of: member.owner)) { try $0.one(0) { try StoredEntry(&$0) } }
        } catch {
            throw try await withStorage(error, most: copy.storageLimit, member)
        }
    }

    /// The entry, with the facts of the one that it is a copy of; what other tables have of it; and the job that checks its recording.
    private static func copy(_ copy: NewEntryCopy, of owner: Owner) -> [Statement] {
        let named = owner.parameters + [.uuid(copy.id.uuid)]
        var statements = [
            Statement(
                copied,
                named + [
                    .uuid(copy.keyID), .int(copy.recording?.sizeBytes), .int(copy.storageLimit), .uuid(copy.source.uuid),
                    .uuid(copy.recording?.object), .text(copy.recording?.contentType), .bytes(copy.recording?.sha256),
                    .text(copy.recording?.job.kind.rawValue), .bytes(copy.id.uuid.octets), .bytes(copy.personal), .bytes(copy.machine),
                    .labels(copy.labelHashes),
                ])
        ]
        if let segments = copy.segments {
            statements.append(
                Statement(
                    """
                    insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) select $1, $2, $3, $4, 1, $5 from \(made)
                    """, named + [.bytes(segments), .uuid(copy.keyID)]))
        }
        if let corrections = copy.corrections {
            statements.append(
                Statement(
                    """
                    insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id, speaker_ids)
                    select $1, $2, $3, $4, 1, 1, $5, $6 from \(made)
                    """, named + [.bytes(corrections), .uuid(copy.keyID), .uuids(copy.speakers)]))
        }
        if let job = copy.recording?.job {
            statements.append(
                Statement(
                    JobInsertion.sql(id: "$4", kind: "$5", subject: "e.id", cost: "$6", from: made),
                    named + [.uuid(job.id.uuid), .text(job.kind.rawValue), .double(job.cost)]))
        }
        if let claim = copy.claim {
            statements.append(claim.statement(of: owner, where: "exists (select from \(made))", copy.id.uuid))
        }
        return statements
    }

    private static let made = "entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3"

    private static let copied = SQL(
        """
        with bump as (select bump_change_within($1, $2, $4, $3, $5, $6) as seq)
        insert into entries as e (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, duration_s,
            size_bytes, content_type, sha256, language, object_id, uploaded_at, audio_removed_at, request_hash, key_id, personal,
            personal_version, machine, machine_version, favorite, keep_audio, label_hashes, stage, on_device)
        select $1, $2, $3, o.kind, case when $8::uuid is null then 'transcribed' else 'uploaded' end, bump.seq, o.recorded_at, o.time_zone,
            o.recorded_local, o.duration_s, coalesce($5, o.size_bytes), coalesce($9, o.content_type), coalesce($10, o.sha256), o.language, $8,
            case when $8 is not null then clock_timestamp() end, case when $8 is null then o.audio_removed_at end, $12, $4, $13, 1,
            $14, case when $14 is null then 0 else 1 end, o.favorite, o.keep_audio, $15, $11,
            o.on_device and $8::uuid is null
        from bump, entries o
        where o.tenant_id = $1 and o.user_id = $2 and o.id = $7 and o.deleted_at is null
        returning \(EntryColumns.list)
        """)
}
