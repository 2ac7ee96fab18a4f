package import DiaryCore
import PostgresClient

extension PostgresExportStore {
    package func estimate(
        _ selection: RequestedSelection, tags: SealedTags?, includeAudio: Bool, of member: Member
    ) async throws(DiaryError) -> Result<ExportEstimate.Counts, ExportSelectionFault> {
        let estimate = Self.estimate(selection, tags: tags, includeAudio: includeAudio, of: member.owner)
        return try await transaction.of(member).run([estimate]) { rows in
            guard var row = rows.first(0) else { throw DatabaseError(.decoding) }
            if let fault = try ExportSelectionFault(&row) { return .failure(fault) }
            return .success(
                ExportEstimate.Counts(
                    entries: try row.int(), recordings: try row.int(), recordingBytes: try row.int(), textBytes: try row.int()))
        }
    }

    /// Lengths of sealed columns are read without the columns. A recording is counted as `ExportAssembly` takes it, without asking the store
    /// of objects: one that has arrived is taken for one that is there.
    static func estimate(_ selection: RequestedSelection, tags: SealedTags?, includeAudio: Bool, of owner: Owner) -> Statement {
        var values =
            owner.parameters + [.chosen(selection.entries), .uuid(selection.since?.uuid), .bool(includeAudio)]
        var conditions = ""
        func add(_ value: Parameter, _ condition: (String) -> String) {
            values.append(value)
            conditions += " and \(condition("$\(values.count)"))"
        }
        if let from = selection.from { add(.date(from.description)) { DayRange.from($0) } }
        if let to = selection.to { add(.date(to.description)) { DayRange.to($0) } }
        if let kind = selection.kind { add(.text(kind.rawValue)) { "e.kind = \($0)" } }
        if let tags { add(.ints(tags.hashes)) { "e.label_hashes @> \($0)" } }
        if !selection.entries.isEmpty { conditions += " and e.id = any ($3)" }
        if selection.since != nil {
            conditions += """
                 and e.change_number > (select y.changes_upto from exports y where y.tenant_id = $1 and y.user_id = $2 and y.id = $4)
                """
        }
        return Statement(
            """
            with found as (
                select $5 and e.object_id is not null and e.audio_removed_at is null and e.status <> 'awaiting_upload'
                        and not (e.status = 'failed' and e.stage = '\(JobKind.verify.rawValue)') as has_audio,
                    coalesce(r.size_bytes, e.size_bytes) as audio,
                    coalesce(octet_length(e.personal), 0) + coalesce(octet_length(e.machine), 0) + coalesce(octet_length(s.sealed), 0) as words
                from entries e \(CopyColumns.join("e"))
                left join entry_segments s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.entry_id = e.id
                where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null\(conditions))
            select \(RequestedSelection.facts(entries: "$3", since: "$4")), count(*), count(*) filter (where has_audio),
                coalesce(sum(audio) filter (where has_audio), 0)::bigint, coalesce(sum(words), 0)::bigint
            from found
            """, values)
    }
}

/// Checks that the entries and the earlier export which a selection names exist. `$1` and `$2` are the owner's tenant and user.
extension RequestedSelection {
    /// The places, from 0, of chosen entries that are not there.
    /// - Parameter entries: an expression; null when none were chosen.
    static func unknown(_ entries: String) -> String {
        """
        array(select (c.place - 1)::text from unnest(\(entries)::uuid[]) with ordinality as c (id, place)
            where not exists (select from entries e
                where e.tenant_id = $1 and e.user_id = $2 and e.id = c.id and e.deleted_at is null)
            order by c.place)
        """
    }

    /// True once the zip of the snapshot was made, whether or not it still exists: the owner never got the contents of an export that
    /// failed.
    /// - Parameter export: an expression; true when it is null.
    static func hasSnapshot(_ export: String) -> String {
        """
        (\(export)::uuid is null or exists (select from exports y
            where y.tenant_id = $1 and y.user_id = $2 and y.id = \(export) and y.ready_at is not null and y.changes_upto is not null))
        """
    }

    /// The columns that `ExportSelectionFault(&row)` reads.
    static func facts(entries: String, since export: String) -> String {
        """
        \(unknown(entries)), \(hasSnapshot(export)),
            exists (select from exports y where y.tenant_id = $1 and y.user_id = $2 and y.id = \(export)
                and y.status in ('queued', 'building') and y.revoked_at is null)
        """
    }
}

extension ExportSelectionFault {
    /// nil: everything is there.
    init?(_ row: inout Row) throws(DatabaseError) {
        let (unknown, hasSnapshot, isBuilding) = (try row.texts(), try row.bool(), try row.bool())
        if !unknown.isEmpty {
            self = .noEntries(unknown.compactMap { Int($0) })
        } else if !hasSnapshot {
            self = isBuilding ? .snapshotNotTaken : .noSnapshot
        } else {
            return nil
        }
    }
}

extension Parameter {
    /// `exports.entry_ids`: NULL where none were chosen.
    static func chosen(_ entries: [EntryID]) -> Parameter { .uuids(entries.isEmpty ? nil : entries.map(\.uuid)) }
}
