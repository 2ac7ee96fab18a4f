package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        var after: Int64 = 0
        var since: Date?
        switch start {
        case .beginning: break
        case .after(let number, _, _): after = number
        // A row's time is taken before its transaction commits, so a row committed later may carry a time some seconds earlier.
        case .changedSince(let date): since = date.addingTimeInterval(-15)
        }
        let page = Self.changes(after: after, since: since, limit: limit, of: member.owner)
        let profiles = Self.changedProfiles(after: after, since: since, limit: limit, of: member.owner)
        return try await transaction.of(member).run([page, profiles]) { rows in
            // The account was erased after the session check. A repeated request gets the right error.
            guard var counter = rows.first(0) else { throw DatabaseError(.serialization) }
            let (latest, purged, epoch) = (try counter.int(), try counter.int(), try counter.int())
            // The snapshot of the profiles is the later one: a purge may have come between, and changes after `latest`, which may come after
            // entries that the page has not.
            let (purgedSince, profiles) = try Self.readProfiles(rows[1], through: latest)
            switch start {
            case .beginning: break
            case .after(let number, let basis, let given):
                if given != epoch || number > latest || (number > 0 && number < purgedSince && basis < purgedSince) { return .expired }
            case .changedSince:
                if try counter.bool() || purgedSince > purged { return .expired }
                if purged > 0, try counter.bool() { return .expired }
            }
            return .page(
                try EntryPage(rows[0], after: 5), profiles: profiles, latest: latest, purgedThrough: purged, epoch: epoch)
        }
    }

    package func days(from: CalendarDay, to: CalendarDay, of member: Member) async throws(DiaryError) -> [DayCount] {
        try await transaction.of(member).all(Self.days(from: from, to: to, of: member.owner)) { row in
            DayCount(
                day: try row.calendarDay(), entries: try row.int(), recordings: try row.int(), durationSeconds: try row.double())
        }
    }

    static func days(from: CalendarDay, to: CalendarDay, of owner: Owner) -> Statement {
        Statement(
            """
            select e.local_date, count(*), count(*) filter (where e.kind = 'voice'), coalesce(sum(e.duration_s), 0)
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and \(DayRange.from("$3")) and \(DayRange.to("$4"))
            group by e.local_date order by e.local_date
            """, owner.parameters + [.date(from.description), .date(to.description)])
    }

    package func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage {
        try await transaction.of(member).run([Self.byDate(query, of: member.owner)]) { try EntryPage($0[0]) }
    }

    private static let changes: SQL = {
        let page = bounded(
            """
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and ($4::timestamptz is null or e.updated_at >= $4)
            """, columns: EntryColumns.feed, limit: "$5"
        ) { "\($0)change_number" }
        return SQL(
            """
            select s.change_number, s.purged_through, g.epoch, g.lost @> $4::timestamptz,
                coalesce($4 <= s.purged_before, $4 < clock_timestamp() - interval '90 days'), p.*
            from user_sync s cross join sync_epoch g left join lateral (\(page)) p on true
            where s.tenant_id = $1 and s.user_id = $2
            """)
    }()

    /// The member's counter, how far tombstones are purged, the epoch, whether `since` is in a time that a restore has lost, whether a
    /// purged tombstone is as new as `since` (`sweep_tombstones`), and the page: one statement, one snapshot. With two, a purge between them
    /// could remove a deletion from the page while the counter does not show it. A page without entries is one row of nulls.
    static func changes(after: Int64, since: Date?, limit: Int, of owner: Owner) -> Statement {
        Statement(changes, owner.parameters + [.int(after), .timestamp(since), .int(limit)])
    }

    private static let changedProfiles = SQL(
        """
        select s.purged_through, p.* from user_sync s left join lateral (
            select \(SpeakerColumns.list) from speaker_profiles p
            where p.tenant_id = $1 and p.user_id = $2 and p.change_number > $3 and ($4::timestamptz is null or p.updated_at >= $4)
            order by p.change_number limit $5 + 1) p on true
        where s.tenant_id = $1 and s.user_id = $2 order by p.change_number
        """)

    /// How far tombstones are purged, and the profiles: one snapshot. A page without profiles is one row of nulls.
    static func changedProfiles(after: Int64, since: Date?, limit: Int, of owner: Owner) -> Statement {
        Statement(changedProfiles, owner.parameters + [.int(after), .timestamp(since), .int(limit)])
    }

    private static func readProfiles(_ rows: Rows, through latest: Int64) throws(DatabaseError) -> (purged: Int64, [StoredSpeakerProfile]) {
        var purged: Int64 = 0
        var profiles: [StoredSpeakerProfile] = []
        for var row in rows {
            purged = try row.int()
            if try row.nextIsNull() { break }
            let profile = try StoredSpeakerProfile(&row)
            if profile.changeNumber <= latest { profiles.append(profile) }
        }
        return (purged, profiles)
    }

    static func byDate(_ query: DateQuery, of owner: Owner) -> Statement {
        let (form, values) = ListingQuery.form(of: query, owner, then: .int(query.limit))
        return Statement(ListingQuery.texts(query.sort)[form.formIndex], values)
    }

    /// The first rows up to `limit` and about 2 MiB of sealed text (always at least one row); the last column counts the rows, up to
    /// `limit` + 1. Lengths are read without reading the text.
    /// - Parameter order: SQL, of columns behind the given alias.
    static func bounded(
        _ source: String, columns: String = EntryColumns.list, limit: String, order: (_ alias: String) -> String
    ) -> String {
        let outer = order("")
        return """
            select \(EntryColumns.returning), found from (
                select q.*, count(*) over () as found, row_number() over (order by \(outer)) as place, sum(q.bytes) over (order by \(outer)) as running
                from (
                    select \(columns), coalesce(octet_length(e.personal), 0) + coalesce(octet_length(e.machine), 0) as bytes
                    \(source) order by \(order("e.")) limit \(limit) + 1
                ) q
            ) p where place <= \(limit) and running - bytes < 2097152 order by \(outer)
            """
    }
}

extension EntryPage {
    /// - Parameters:
    ///   - rows: of a bounded statement.
    ///   - others: columns before its own.
    init(_ rows: Rows, after others: Int = 0) throws(DatabaseError) {
        var entries: [StoredEntry] = []
        entries.reserveCapacity(rows.count)
        var found: Int64 = 0
        for var row in rows {
            row.skip(others)
            if entries.isEmpty, try row.nextIsNull() { break }
            let entry = try StoredEntry(&row)
            if entries.isEmpty { found = try row.int() }
            entries.append(entry)
        }
        self.init(entries, more: found > entries.count)
    }
}
