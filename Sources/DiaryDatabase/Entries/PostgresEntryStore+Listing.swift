package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func changes(from start: FeedStart, limit: Int, view: EntryView, of member: Member) async throws(DiaryError) -> FeedOutcome {
        var after: Int64 = 0
        var since: Date?
        switch start {
        case .beginning: break
        case .after(let number, _, _): after = number
        // A row's time is taken before its transaction commits, so a row committed later may carry a time some seconds earlier.
        case .changedSince(let date): since = date.addingTimeInterval(-15)
        }
        let page = Self.changes(after: after, since: since, limit: limit, view: view, of: member.owner)
        return try await transaction.of(member).run([page]) { rows in
            // The account was erased after the session check. A repeated request gets the right error.
            guard var counter = rows.first(0) else { throw DatabaseError(.serialization) }
            let (latest, purged, epoch) = (try counter.int(), try counter.int(), try counter.int())
            switch start {
            case .beginning: break
            case .after(let number, let basis, let given):
                if given != epoch || number > latest || (number > 0 && number < purged && basis < purged) { return .expired }
            case .changedSince:
                if try counter.bool() { return .expired }
                if purged > 0, try counter.bool() { return .expired }
            }
            return .page(try EntryPage(rows[0], after: 5), latest: latest, purgedThrough: purged, epoch: epoch)
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

    private static let changes = changes(.full)
    private static let changesInShort = changes(.summary)

    private static func changes(_ view: EntryView) -> SQL {
        let page = bounded(
            view,
            """
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and ($4::timestamptz is null or e.updated_at >= $4)
            """, columns: EntryColumns.feed(view), order: ["change_number"], limit: "$5")
        return SQL(
            """
            select s.change_number, s.purged_through, g.epoch, g.lost @> $4::timestamptz,
                coalesce($4 <= s.purged_before, $4 < clock_timestamp() - interval '90 days'), p.*
            from user_sync s cross join sync_epoch g left join lateral (\(page)) p on true
            where s.tenant_id = $1 and s.user_id = $2
            """)
    }

    /// The member's counter, how far tombstones are purged, the epoch, whether `since` is in a time that a restore has lost, whether a
    /// purged tombstone is as new as `since` (`sweep_tombstones`), and the page: one statement, one snapshot. With two, a purge between them
    /// could remove a deletion from the page while the counter does not show it. A page without entries is one row of nulls.
    static func changes(after: Int64, since: Date?, limit: Int, view: EntryView = .full, of owner: Owner) -> Statement {
        Statement(view == .full ? changes : changesInShort, owner.parameters + [.int(after), .timestamp(since), .int(limit)])
    }

    static func byDate(_ query: DateQuery, of owner: Owner) -> Statement {
        let (form, values) = ListingQuery.form(of: query, owner, then: .int(query.limit))
        return Statement(ListingQuery.texts[form.formIndex], values)
    }

    /// The first rows up to `limit` and about 2 MiB of sealed text (always at least one row); the last column counts the rows, up to
    /// `limit` + 1. Lengths are read without reading the text.
    static func bounded(
        _ view: EntryView, _ source: String, columns: String? = nil, order: [String], limit: String
    ) -> String {
        let bytes = "coalesce(octet_length(e.personal), 0)" + (view == .full ? " + coalesce(octet_length(e.machine), 0)" : "")
        let inner = order.map { "e.\($0)" }.joined(separator: ", ")
        let outer = order.joined(separator: ", ")
        return """
            select \(EntryColumns.returning), found from (
                select q.*, count(*) over () as found, row_number() over (order by \(outer)) as place, sum(q.bytes) over (order by \(outer)) as running
                from (
                    select \(columns ?? EntryColumns.list(view)), \(bytes) as bytes
                    \(source) order by \(inner) limit \(limit) + 1
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
