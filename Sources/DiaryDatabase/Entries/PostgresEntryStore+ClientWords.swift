package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// Words that clients have recognised themselves.
extension PostgresEntryStore {
    package func giveTranscript(_ write: TranscriptWrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        // The lock is a statement of its own, so that the next ones see what a worker committed during the wait.
        let (lock, words) = (EntryDeletion.lock(keyID, member.owner), Self.words(write, keyID, of: member.owner))
        guard write.next != nil else { return try await self.write(member, lock, words, entry: write.id) { try StoredEntry(&$0) } }
        let jobs = Self.endOfJobs(before: write, of: member.owner)
        return try await self.write(member, lock, jobs, words, entry: write.id) { try StoredEntry(&$0) }
    }

    /// The entry as it was read. `$1` to `$3` are tenant, user and entry, `$4` to `$7` what was read of it.
    private static let asRead = """
        e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null and e.machine_version = $4
            and e.personal_version = $5 and e.status = $6 and e.stage is not distinct from $7
        """

    private static func read(_ write: TranscriptWrite, _ owner: Owner) -> [Parameter] {
        owner.parameters + [
            .uuid(write.id.uuid), .int(write.machine.version - 1), .int(write.personalVersion), .text(write.status.rawValue),
            .text(write.stage?.rawValue),
        ]
    }

    /// A worker that holds one has lost its lease.
    private static func endOfJobs(before write: TranscriptWrite, of owner: Owner) -> Statement {
        Statement(
            """
            update jobs j set state = 'done', finished_at = clock_timestamp(), lease_until = null, leased_by = null
            from entries e
            where \(asRead) and j.tenant_id = $1 and j.user_id = $2 and j.subject = e.id and j.state in ('ready', 'leased')
            """, read(write, owner))
    }

    private static func words(_ write: TranscriptWrite, _ keyID: UUID, of owner: Owner) -> Statement {
        var parameters = read(write, owner)
        func next(_ value: Parameter) -> String {
            parameters.append(value)
            return "$\(parameters.count)"
        }
        let key = next(.uuid(keyID))
        let (machine, version) = (next(.bytes(write.machine.bytes)), next(.int(write.machine.version)))
        let (language, recognise) = (next(.text(write.language)), next(.text(write.recognise.rawValue)))
        var columns = "machine = \(machine), machine_version = \(version), language = coalesce(\(language), e.language)"
        var others: [String] = []
        if let stage = write.next {
            let (status, kind) = (JobCatalogue.diary.stage(stage)?.waiting ?? .cleaning, next(.text(stage.rawValue)))
            // When recognition fails, the entry is finished with the client's words.
            let rerun = stage == .transcribe ? next(.text(JobKind.verify.rawValue)) : "null"
            columns += """
                , recognise = case when e.on_device then \(recognise) end, status = \(next(.text(status.rawValue))), stage = \(kind),
                    stage_attempt = 0, stage_code = null, stage_next_at = null, rerun_from = \(rerun), asked_engine = null, asked_language = null
                """
            let job = JobInsertion.sql(
                id: next(.uuid(UUIDv7.make())), kind: kind, subject: "a.id", cost: cost(kind), from: "written a")
            others.append("job as (\(job))")
        } else {
            columns += ", recognise = \(recognise)"
        }
        if write.replacesSegments {
            let owned = "s.tenant_id = $1 and s.user_id = $2 and s.entry_id = w.id"
            others.append("corrections as (delete from segment_corrections s using written w where \(owned))")
            if let segments = write.segments {
                others.append(
                    """
                    spoken as (
                        insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                        select $1, $2, w.id, \(next(.bytes(segments))), \(version), \(key) from written w
                        on conflict on constraint entry_segments_pk
                            do update set sealed = excluded.sealed, version = excluded.version, key_id = excluded.key_id)
                    """)
            } else {
                others.append("spoken as (delete from entry_segments s using written w where \(owned))")
            }
        }
        if !write.replaced.isEmpty {
            let revisions = write.replaced.map { revision -> (layer: String, number: String, sealed: String) in
                let values = RevisionInsertion.values(revision).map { next($0) }
                return (layer: values[0], number: values[1], sealed: values[2])
            }
            others.append(RevisionInsertion.sql(of: "written", key: key, revisions))
        }
        let update = """
            update entries e set \(columns), updated_at = clock_timestamp(), change_number = u.change_number
            from user_sync u where u.tenant_id = $1 and u.user_id = $2 and \(asRead) returning \(EntryColumns.list)
            """
        return Statement(
            (["with written as (\(update))"] + others).joined(separator: ",\n") + "\nselect * from written", parameters)
    }

    package func openDeviceUpload(_ id: EntryID, _ upload: DeviceUpload, by member: Member) async throws(DiaryError) -> StoredEntry? {
        let facts = upload.facts
        let statement = Statement(
            Self.deviceUpload,
            member.owner.parameters + [
                .uuid(upload.keyID), .uuid(id.uuid), .int(facts.sizeBytes), .text(facts.contentType), .bytes(facts.sha256),
                .uuid(upload.object), .int(upload.storageLimit), .bytes(upload.uniqueDigest), .double(Double(upload.windowSeconds)),
                .double(facts.durationSeconds), .text(JobKind.verify.rawValue),
            ])
        do { return try await transaction.of(member).one(statement) { try StoredEntry(&$0) } } catch {
            guard error.code == .duplicateRecording, let digest = upload.uniqueDigest else {
                throw try await withStorage(error, most: upload.storageLimit, member)
            }
            throw try await duplicate(of: digest, error, member)
        }
    }

    /// It was announced before, and may have been sent.
    private static let isAnnounced =
        "(e.status = 'awaiting_upload' and e.size_bytes = $5 and e.content_type = $6 and e.sha256 is not distinct from $7)"

    /// The words that it has, if any, are as finished as they were: a recording that is recognised replaces them, another one does not have
    /// them cleaned again.
    private static let deviceUpload = SQL(
        """
        with bump as (
            select bump_change_for_recording($1, $2, $3, null,
                $5 - counted_bytes(o.size_bytes, o.deleted_at, o.status, o.stage_code), $9,
                case when o.sha256 is distinct from $10 then $10::bytea end) as seq
            from entries o where o.tenant_id = $1 and o.user_id = $2 and o.id = $4 and o.deleted_at is null)
        update entries e set \(waiting), updated_at = clock_timestamp(), change_number = bump.seq, size_bytes = $5, content_type = $6,
            sha256 = $7, object_id = case when \(isAnnounced) then e.object_id else $8 end,
            uploaded_at = case when \(isAnnounced) then e.uploaded_at end, part_upload = case when \(isAnnounced) then e.part_upload end,
            part_bytes = case when \(isAnnounced) then e.part_bytes end,
            upload_expires_at = clock_timestamp() + make_interval(secs => $11), duration_s = coalesce($12, e.duration_s),
            recognise = case when e.machine is null or e.recognise = 'always' then e.recognise end
        from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.on_device
            and (e.object_id is null and e.status in ('transcribed', 'failed') or e.status = 'awaiting_upload'
                or e.status = 'failed' and e.stage = $13)
        returning \(EntryColumns.list)
        """)
}
