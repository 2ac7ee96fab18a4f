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
        let rows = try await transaction.run(member, [Self.changes(after: after, since: since, limit: limit, of: member.owner)])
        return try decoding { () throws(DatabaseError) in
            // The account was erased after the session check. A repeated request gets the right error.
            guard let counter = rows.first(0) else { throw DatabaseError(.serialization) }
            let latest = try counter.int(0)
            let purged = try counter.int(1)
            let epoch = try counter.int(3)
            switch start {
            case .beginning: break
            case .after(let number, let basis, let given):
                if given != epoch || number > latest || (number > 0 && number < purged && basis < purged) { return .expired }
            case .changedSince:
                if try counter.bool(4) { return .expired }
                if purged > 0, try counter.bool(2) { return .expired }
            }
            return .page(try EntryPage(rows[0], at: 5), latest: latest, purgedThrough: purged, epoch: epoch)
        }
    }

    package func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> EntryPage {
        let rows = try await transaction.run(member, [Self.byDate(query, of: member.owner)])
        return try decoding { () throws(DatabaseError) in try EntryPage(rows[0]) }
    }

    private static let changes: SQL = {
        let page = bounded(
            """
            from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and ($4::timestamptz is null or e.updated_at >= $4)
            """, order: ["change_number"], limit: "$5")
        return SQL(
            """
            select s.change_number, s.purged_through, $4 < clock_timestamp() - interval '90 days', g.epoch, g.lost @> $4::timestamptz, p.*
            from user_sync s cross join sync_epoch g left join lateral (\(page)) p on true
            where s.tenant_id = $1 and s.user_id = $2
            """)
    }()

    /// The member's counter, how far tombstones are purged, whether `since` is before the days for which they are kept
    /// (`sweep_tombstones`), the epoch and whether `since` is in a time that a restore has lost, and the page: one statement, one snapshot. With two, a purge between them could remove a deletion from the
    /// page while the counter does not show it. A page without entries is one row of nulls.
    static func changes(after: Int64, since: Date?, limit: Int, of owner: Owner) -> Statement {
        Statement(changes, owner.parameters + [.int(after), .timestamp(since), .int(limit)])
    }

    static func byDate(_ query: DateQuery, of owner: Owner) -> Statement {
        var form = ListingQuery(order: query.order)
        var values = owner.parameters
        values.reserveCapacity(7)
        if let from = query.from {
            form.hasFrom = true
            values.append(.date(from.description))
        }
        if let to = query.to {
            form.hasTo = true
            values.append(.date(to.description))
        }
        if let after = query.after {
            form.hasPosition = true
            values.append(.timestamp(after.recordedAt))
            values.append(.uuid(after.id.uuid))
        }
        values.append(.int(query.limit))
        return Statement(ListingQuery.texts[form.place], values)
    }

    /// The first rows up to `limit` and about 2 MiB of sealed text (always at least one row); the last column counts the rows, up to
    /// `limit` + 1. Lengths are read without reading the text.
    static func bounded(_ source: String, order: [String], limit: String) -> String {
        let inner = order.map { "e.\($0)" }.joined(separator: ", ")
        let outer = order.joined(separator: ", ")
        return """
            select \(EntryColumns.returning), found from (
                select q.*, count(*) over () as found, row_number() over (order by \(outer)) as place, sum(q.bytes) over (order by \(outer)) as running
                from (
                    select \(EntryColumns.list), coalesce(octet_length(e.personal), 0) + coalesce(octet_length(e.machine), 0) as bytes
                    \(source) order by \(inner) limit \(limit) + 1
                ) q
            ) p where place <= \(limit) and running - bytes < 2097152 order by \(outer)
            """
    }
}

extension EntryPage {
    /// Rows of a bounded statement, whose columns start at `first`.
    fileprivate init(_ rows: Rows, at first: Int = 0) throws(DatabaseError) {
        guard let row = rows.first, try !row.isNull(first) else {
            self.init([], more: false)
            return
        }
        var entries: [StoredEntry] = []
        entries.reserveCapacity(rows.count)
        for row in rows { entries.append(try StoredEntry(row, at: first)) }
        let found = try row.int(first + EntryColumns.count)
        self.init(entries, more: found > entries.count)
    }
}
