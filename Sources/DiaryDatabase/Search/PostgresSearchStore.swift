package import DiaryCore
package import PostgresClient

/// What a search reads, by the database role `diary_api`.
package struct PostgresSearchStore: SearchStore {
    let transaction: MemberTransaction

    /// By the forms of a listing. Parameters: those of its conditions, the most entries, the most bytes.
    private static let texts = ListingQuery.forms(.recordedAt).map { SQL(text($0)) }

    /// The few columns that are searched: a listing's thirty take the server three times as long. Lengths are read without reading the words.
    private static func text(_ form: ListingQuery) -> String {
        let (conditions, count) = form.conditions
        let order = { (row: String) in "\(row)recorded_at \(form.order.rawValue), \(row)id \(form.order.rawValue)" }
        return """
            select id, recorded_at, personal, personal_version, machine, machine_version, corrections, corrections_version, running from (
                select q.*, (sum(q.bytes) over (order by \(order("q.")) rows unbounded preceding))::bigint as running from (
                    select e.*, c.sealed as corrections, c.version as corrections_version,
                        coalesce(octet_length(e.personal), 0) + coalesce(octet_length(e.machine), 0)
                            + coalesce(octet_length(c.sealed), 0) as bytes
                    from (
                        select e.tenant_id, e.user_id, e.id, e.recorded_at, e.personal, e.personal_version, e.machine, e.machine_version
                        from entries e where \(conditions) order by \(order("e.")) limit $\(count + 1)
                    ) e
                    left join lateral (
                        select c.sealed, c.version from segment_corrections c
                        join entry_segments s on s.tenant_id = c.tenant_id and s.user_id = c.user_id and s.entry_id = c.entry_id
                            and s.version = c.segments_version
                        where c.tenant_id = e.tenant_id and c.user_id = e.user_id and c.entry_id = e.id
                    ) c on true
                ) q
            ) p where running - bytes < $\(count + 2) order by \(order(""))
            """
    }

    package func words(_ query: DateQuery, bytes: Int, of member: Member) async throws(DiaryError) -> SearchBatch {
        try await transaction.of(member).run([Self.words(query, bytes: bytes, of: member.owner)]) { rows in
            var entries: [SealedWords] = []
            entries.reserveCapacity(rows[0].count)
            var read: Int64 = 0
            for var row in rows[0] {
                let id = EntryID(try row.uuid())
                let position = DatePosition(recordedAt: try row.date(), id: id)
                let (personal, machine) = (try row.sealedColumnOrNil(), try row.sealedColumnOrNil())
                let corrections = try row.sealedColumnOrNil()
                read = try row.int()
                entries.append(SealedWords(position: position, personal: personal, machine: machine, corrections: corrections))
            }
            return SearchBatch(entries, more: entries.count >= query.limit || read >= Int64(bytes))
        }
    }

    static func words(_ query: DateQuery, bytes: Int, of owner: Owner) -> Statement {
        let (form, values) = ListingQuery.form(of: query, owner, then: .int(query.limit), .int(bytes))
        return Statement(texts[form.formIndex], values)
    }

    private static let found = SQL(
        """
        select \(EntryColumns.returning), segments, segments_at, corrections, corrections_at, corrected from (
            select q.*, sum(q.bytes) over (order by q.recorded_at desc, q.id desc rows unbounded preceding) as running from (
                select \(EntryColumns.list), s.sealed as segments, s.version as segments_at,
                    c.sealed as corrections, c.version as corrections_at, c.segments_version as corrected,
                    coalesce(octet_length(e.personal), 0) + coalesce(octet_length(e.machine), 0)
                        + coalesce(octet_length(s.sealed), 0) + coalesce(octet_length(c.sealed), 0) as bytes
                from entries e
                left join entry_segments s on s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.entry_id = e.id
                left join segment_corrections c on c.tenant_id = e.tenant_id and c.user_id = e.user_id and c.entry_id = e.id
                where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($3) and e.deleted_at is null
            ) q
        ) p where running - bytes < $4 order by recorded_at desc, id desc
        """)

    package func found(_ ids: [EntryID], bytes: Int, of member: Member) async throws(DiaryError) -> [StoredTranscript] {
        let found = Statement(Self.found, member.owner.parameters + [.uuids(ids.map(\.uuid)), .int(bytes)])
        return try await transaction.of(member).all(found) { row in
            let entry = try StoredEntry(&row)
            let segments = try row.sealedColumnOrNil()
            return StoredTranscript(entry: entry, segments: segments, corrections: try StoredCorrections(&row), locale: nil)
        }
    }

    package func profiles(of member: Member) async throws(DiaryError) -> [StoredSpeakerProfile] {
        try await transaction.of(member).all(ExportReading.profiles(of: member.owner)) { try StoredSpeakerProfile(&$0) }
    }
}

extension PostgresSearchStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}
