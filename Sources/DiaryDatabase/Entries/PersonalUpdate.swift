import DiaryCore
import FoundationEssentials
import PostgresClient

/// Statements that write a personal part where the version that was read is still there.
enum PersonalUpdate {
    /// The parts of the statement beside the personal part. Each form is prepared once.
    private struct Form {
        var hasTime: Bool
        var hasRevision: Bool
        var hasCorrections: Bool
        var returnsEntry: Bool
        var hasRedescription: Bool

        var formIndex: Int {
            (hasTime ? 1 : 0) + (hasRevision ? 2 : 0) + (hasCorrections ? 4 : 0) + (returnsEntry ? 8 : 0) + (hasRedescription ? 16 : 0)
        }

        init(_ rewrite: PersonalRewrite, returnsEntry: Bool) {
            self.returnsEntry = returnsEntry
            hasTime = rewrite.facts.recordedAt != nil || rewrite.facts.timeZone != nil
            hasRevision = rewrite.replaced != nil
            hasCorrections = rewrite.corrections != nil
            hasRedescription = rewrite.redescription != nil
        }

        init(formIndex: Int) {
            hasTime = formIndex & 1 != 0
            hasRevision = formIndex & 2 != 0
            hasCorrections = formIndex & 4 != 0
            returnsEntry = formIndex & 8 != 0
            hasRedescription = formIndex & 16 != 0
        }

        static let texts = (0..<32).map { SQL(Form(formIndex: $0).text) }

        /// Parameters: the fourteen of every form, then two of the description, two of the time, three of the
        /// revision, four of the corrections.
        private var text: String {
            var count = 14
            func next() -> String {
                count += 1
                return "$\(count)"
            }
            var others: [String] = []
            var (described, description) = ("", "")
            if hasRedescription {
                let (job, kind) = (next(), next())
                described = "when \(job)::uuid is not null and e.status = 'transcribed' then null "
                // A new result has version 1 again.
                description = """
                    , machine = null, machine_version = 0,
                        status = case when \(job) is null then e.status else '\(EntryStatus.cleaning.rawValue)' end,
                        stage = case when \(job) is null then e.stage else \(kind) end,
                        rerun_from = case when \(job) is null then e.rerun_from else \(kind) end
                    """
                // One that is still to begin, or that begins again, reads this text.
                let insertion = JobInsertion.sql(id: job, kind: kind, subject: "w.id", from: "written w where \(job) is not null")
                others.append("job as (\(insertion) on conflict do nothing)")
            }
            var update = """
                update entries e set personal = $5, personal_version = $6, label_hashes = $11, key_id = $3,
                    change_number = bump.seq, updated_at = clock_timestamp(),
                    favorite = coalesce($12, e.favorite), keep_audio = coalesce($13, e.keep_audio), language = case when $8 then $9 else e.language end,
                    stage_code = case
                        \(described)when ($8 or $14) and e.status = 'transcribed'
                            and e.stage_code is distinct from '\(ProcessingCode.consentRequired.rawValue)' then null
                        when $8 and $9 is distinct from e.language then nullif(e.stage_code, $10)
                        else e.stage_code end\(description)
                """
            if hasTime {
                let (at, zone) = (next(), next())
                // The wall clock is written in the same statement, so that the trigger `entries_day` computes the day.
                update += """
                    , recorded_at = coalesce(\(at), e.recorded_at), time_zone = coalesce(zone_name(\(zone)), e.time_zone),
                        recorded_local = coalesce(\(at), e.recorded_at) at time zone coalesce(zone_name(\(zone)), e.time_zone)
                    """
            }
            update += """

                from bump where e.tenant_id = $1 and e.user_id = $2 and e.id = $4 and e.deleted_at is null and e.personal_version = $7
                """
            if hasRevision {
                others.append(RevisionInsertion.sql(of: "written", key: "$3", [(next(), next(), next())]))
            }
            if hasCorrections {
                let (sealed, version, machine, speakers) = (next(), next(), next(), next())
                update += """
                     and e.machine_version = \(machine) and exists (select from entry_segments s
                        where s.tenant_id = $1 and s.user_id = $2 and s.entry_id = $4 and s.version = \(version))
                    """
                others.append(
                    """
                    corrected as (
                        insert into segment_corrections (tenant_id, user_id, entry_id, sealed, version, segments_version, speaker_ids, key_id)
                        select $1, $2, w.id, \(sealed), $6, \(version), \(speakers), $3 from written w
                        on conflict on constraint segment_corrections_pk do update set sealed = excluded.sealed,
                            version = excluded.version, segments_version = excluded.segments_version,
                            speaker_ids = excluded.speaker_ids, key_id = excluded.key_id)
                    """)
            }
            let bump = "with bump as (select bump_change($1, $2, $3) as seq)"
            let columns = returnsEntry ? EntryColumns.list : "e.id"
            guard !others.isEmpty else { return "\(bump)\n\(update) returning \(columns)" }
            return """
                \(bump),
                written as (\(update) returning \(columns)),
                \(others.joined(separator: ",\n"))
                select * from written
                """
        }
    }

    /// - Parameter returnsEntry: the entry as it is written, which may be long; or its id.
    static func statement(_ rewrite: PersonalRewrite, keyID: UUID, of owner: Owner, returnsEntry: Bool = true) -> Statement {
        let (setsLanguage, tag): (Bool, String?) =
            switch rewrite.facts.language {
            case .absent: (false, nil)
            case .clear: (true, nil)
            case .set(let tag): (true, tag)
            }
        var values: [Parameter] =
            owner.parameters + [
                .uuid(keyID), .uuid(rewrite.id.uuid), .bytes(rewrite.sealed.bytes), .int(rewrite.sealed.version),
                .int(rewrite.expecting), .bool(setsLanguage), .text(tag), .text(ProcessingCode.languageUnsupported.rawValue),
                .labels(rewrite.labelHashes), .bool(rewrite.facts.favorite), .bool(rewrite.facts.keepAudio),
                .bool(rewrite.changesWords),
            ]
        let form = Form(rewrite, returnsEntry: returnsEntry)
        if let redescription = rewrite.redescription { values += [.uuid(redescription.job?.uuid), .text(JobKind.clean.rawValue)] }
        if form.hasTime { values += [.timestamp(rewrite.facts.recordedAt), .text(rewrite.facts.timeZone)] }
        if let replaced = rewrite.replaced { values += RevisionInsertion.values(replaced) }
        if let corrections = rewrite.corrections {
            values += [
                .bytes(corrections.sealed), .int(corrections.segmentsVersion), .int(corrections.machineVersion),
                .uuids(corrections.speakers),
            ]
        }
        return Statement(Form.texts[form.formIndex], values)
    }
}

/// SQL that stores the replaced texts of an entry as revisions, in the statement that replaces them, and prunes each layer to its newest
/// `TextLayer.kept`.
enum RevisionInsertion {
    /// Common table expressions `kept` and `pruned`. `$1` and `$2` are the owner's tenant and user.
    /// - Parameters:
    ///   - source: the expression whose row is the entry, by its `id`; without a row nothing is kept.
    ///   - key: SQL; the key that the revisions are sealed under.
    ///   - revisions: SQL for each: layer, number, sealed bytes.
    static func sql(of source: String, key: String, _ revisions: [(layer: String, number: String, sealed: String)]) -> String {
        let rows = revisions.map { "(\($0.layer)::text, \($0.number)::bigint, \($0.sealed)::bytea)" }.joined(separator: ", ")
        return """
            kept as (
                insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id)
                select $1, $2, w.id, r.layer, r.number, r.sealed, \(key) from \(source) w, (values \(rows)) as r (layer, number, sealed)
                on conflict do nothing returning entry_id, layer),
            pruned as (
                delete from entry_revisions o using kept k
                where o.tenant_id = $1 and o.user_id = $2 and o.entry_id = k.entry_id and o.layer = k.layer
                    and \(TextLayer.kept) <= 1 + (select count(*) from entry_revisions n
                        where n.tenant_id = $1 and n.user_id = $2 and n.entry_id = o.entry_id and n.layer = o.layer and n.number > o.number))
            """
    }

    static func values(_ revision: SealedRevision) -> [Parameter] {
        [.text(revision.layer.rawValue), .int(revision.number), .bytes(revision.sealed)]
    }
}
