import DiaryCore
import FoundationEssentials
import PostgresClient
import WireFormats

/// Statements that make an entry of a zip under the job of its import: the entry, counted by its import, and then what belongs to it. `$1` to
/// `$3` are tenant, user and entry.
enum ImportedEntryInsert {
    /// An entry that is there by now, of another import, stays as it is and counts as unchanged. Nothing is made when the import is gone.
    private static let entry = SQL(
        """
        with bump as (select bump_change_within($1, $2, $4, $3, $5, $6) as seq),
        made as (
            insert into entries as e (tenant_id, user_id, id, kind, status, change_number, recorded_at, time_zone, recorded_local, created_at,
                updated_at, duration_s, size_bytes, content_type, sha256, language, object_id, uploaded_at, audio_removed_at, request_hash, key_id,
                personal, personal_version, machine, machine_version, favorite, keep_audio, label_hashes, stage, on_device)
            select $1, $2, $3, $7, $8, bump.seq, $9, zone.name, $9 at time zone zone.name, least(coalesce($11, clock_timestamp()), clock_timestamp()),
                clock_timestamp(), $12, $13, $14, $15, $16, $17, case when $7 = 'voice' then clock_timestamp() end, $18, $19, $4,
                $20, $21, $22, $23, $24, $25, $26, $27, $7 = 'voice' and $17::uuid is null and $18::timestamptz is null
            from bump, imports i, (select zone_or_own($10, u.time_zone) as name from users u where u.tenant_id = $1 and u.id = $2) zone
            where i.tenant_id = $1 and i.user_id = $2 and i.id = $28 and i.entries_done = $29
            on conflict on constraint entries_pk do nothing returning e.id)
        update imports i set created = i.created + (select count(*) from made), unchanged = i.unchanged + 1 - (select count(*) from made)
        where i.tenant_id = $1 and i.user_id = $2 and i.id = $28 and i.entries_done = $29
        """)

    /// The entry, if this transaction has made it.
    private static let made = """
        entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.xmin = pg_current_xact_id()::xid
        """

    static func statements(_ entry: ImportedEntry, _ step: ImportStep, of job: LeasedJob) -> [Statement] {
        let named = job.owner.parameters + [.uuid(entry.id.uuid)]
        let (facts, hasRecording) = (entry.facts, entry.object != nil)
        var statements = [
            Statement(
                self.entry,
                named + [
                    .uuid(step.keyID), .int(hasRecording ? facts.sizeBytes : nil), .int(step.storageLimit), .text(facts.kind.rawValue),
                    .text((hasRecording ? EntryStatus.uploaded : .transcribed).rawValue), .timestamp(entry.recordedAt),
                    .text(facts.timeZone), .timestamp(entry.createdAt), .double(facts.durationSeconds), .int(facts.sizeBytes),
                    .text(facts.contentType), .bytes(facts.sha256), .text(facts.language), .uuid(entry.object),
                    .timestamp(entry.audioRemovedAt), .bytes(job.subject.octets), .bytes(entry.personal.bytes),
                    .int(entry.personal.version),
                    .bytes(entry.machine?.bytes), .int(entry.machine?.version ?? 0), .bool(facts.favorite), .bool(facts.keepAudio),
                    .labels(entry.labelHashes), .text(hasRecording ? JobKind.verify.rawValue : nil), .uuid(job.subject),
                    .int(step.from),
                ])
        ]
        if let segments = entry.segments {
            statements.append(
                Statement(
                    """
                    insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id)
                    select $1, $2, $3, $4, $5, $6 from \(made)
                    """, named + [.bytes(segments.bytes), .int(segments.version), .uuid(step.keyID)]))
        }
        if let corrections = entry.corrections {
            statements.append(
                Statement(
                    """
                    insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, key_id, speaker_ids)
                    select $1, $2, $3, $4, $5, $6, $7, $8 from \(made)
                    """,
                    named + [
                        .bytes(corrections.sealed.bytes), .int(corrections.sealed.version), .int(corrections.segmentsVersion),
                        .uuid(step.keyID), .uuids(entry.profiles.map { $0.id.uuid }),
                    ]))
        }
        if !entry.profiles.isEmpty {
            statements.append(profiles(entry.profiles, keyID: step.keyID, named, where: "exists (select from \(made))"))
        }
        for (revision, replacedAt) in entry.revisions {
            statements.append(
                Statement(
                    """
                    insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id, created_at)
                    select $1, $2, $3, $4, $5, $6, $7, least($8, clock_timestamp()) from \(made) on conflict do nothing
                    """, named + RevisionInsertion.values(revision) + [.uuid(step.keyID), .timestamp(replacedAt)]))
        }
        if let check = entry.job {
            statements.append(
                Statement(
                    JobInsertion.sql(id: "$4", kind: "$5", subject: "e.id", cost: "$6", from: made),
                    named + [.uuid(check.id.uuid), .text(check.kind.rawValue), .double(check.cost)]))
        }
        return statements
    }

    /// Those that the account has not, as many as it may have, each with a number of the feed. One that finds no place is a name and no more.
    /// - Parameters:
    ///   - named: three, of which the first two are the owner's tenant and user.
    ///   - condition: SQL.
    static func profiles(
        _ profiles: [(id: SpeakerID, sealed: [UInt8])], keyID: UUID, _ named: [Parameter], where condition: String
    ) -> Statement {
        Statement(
            """
            with wanted as materialized (
                select n.id, decode(n.sealed, 'hex') as sealed, row_number() over (order by n.id) as place
                from unnest($4::uuid[], $5::text[]) as n (id, sealed)
                where \(condition)
                    and not exists (select from speaker_profiles p where p.tenant_id = $1 and p.user_id = $2 and p.id = n.id)
                order by n.id
                limit greatest(0, $7 - (
                    select count(*) from speaker_profiles p where p.tenant_id = $1 and p.user_id = $2 and p.deleted_at is null))),
            bump as (
                update user_sync s set change_number = s.change_number + (select count(*) from wanted)
                where s.tenant_id = $1 and s.user_id = $2 returning s.change_number - (select count(*) from wanted) as before)
            insert into speaker_profiles (tenant_id, user_id, id, change_number, sealed, version, key_id, request_hash)
            select $1, $2, w.id, bump.before + w.place, w.sealed, 1, $6, ''::bytea from wanted w, bump
            """,
            named + [
                .uuids(profiles.map { $0.id.uuid }), .texts(profiles.map { Hex.encode($0.sealed) }), .uuid(keyID),
                .int(SpeakerFeature.most),
            ])
    }
}
