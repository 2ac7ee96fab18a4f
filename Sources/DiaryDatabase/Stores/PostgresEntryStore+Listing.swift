package import DiaryCore
import FoundationEssentials

extension PostgresEntryStore {
    package func changes(from start: FeedStart, limit: Int, of member: Member) async throws(DiaryError) -> FeedOutcome {
        var after: Int64 = 0
        var since: Date?
        switch start {
        case .beginning: break
        case .after(let number): after = number
        case .changedSince(let date): since = date
        }
        // Both statements see the counter of their own moment; the counter is read first, so that it never runs ahead of the page.
        let rows = try await door.run(
            member,
            [
                Statement("select change_number, purged_through from user_sync where tenant_id = $1 and user_id = $2", member.owner.parameters),
                Self.changes(after: after, since: since, limit: limit, of: member.owner),
            ])
        return try decoding { () throws(DatabaseError) in
            guard let counter = rows.first(0) else { throw DatabaseError(.decoding) }
            let latest = try counter.int(0)
            let purged = try counter.int(1)
            if case .after(let number) = start, number > latest || (number > 0 && number < purged) { return .expired }
            return .page(try rows[1].map { row throws(DatabaseError) in try StoredEntry(row) }, latest: latest)
        }
    }

    package func list(_ query: DateQuery, of member: Member) async throws(DiaryError) -> [StoredEntry] {
        let rows = try await door.run(member, [Self.byDate(query, of: member.owner)])
        return try decoding { () throws(DatabaseError) in try rows[0].map { row throws(DatabaseError) in try StoredEntry(row) } }
    }

    static func changes(after: Int64, since: Date?, limit: Int, of owner: Owner) -> Statement {
        Statement(
            """
            select \(EntryColumns.list) from entries e
            where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and ($4::timestamptz is null or e.updated_at >= $4)
            order by e.change_number limit $5
            """, owner.parameters + [.int(after), .timestamp(since), .int(limit)])
    }

    /// One text for each of the sixteen forms: a condition that is `$n is null or …` would keep a generic plan from the index's ranges, and
    /// a late page would then read all the pages before it.
    static func byDate(_ query: DateQuery, of owner: Owner) -> Statement {
        var sql = "select \(EntryColumns.list) from entries e where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null"
        var values = owner.parameters
        // No wall clock is 16 hours from UTC; the index knows the moment alone.
        if let from = query.from {
            values.append(.date(from.description))
            sql += " and e.recorded_local >= $\(values.count) and e.recorded_at >= $\(values.count)::timestamp at time zone 'UTC' - interval '16 hours'"
        }
        if let to = query.to {
            values.append(.date(to.description))
            sql += " and e.recorded_local < $\(values.count) + 1 and e.recorded_at < ($\(values.count) + 1)::timestamp at time zone 'UTC' + interval '16 hours'"
        }
        let newest = query.order == .newestFirst
        if let after = query.after {
            values += [.timestamp(after.recordedAt), .uuid(after.id.uuid)]
            sql += " and (e.recorded_at, e.id) \(newest ? "<" : ">") ($\(values.count - 1), $\(values.count))"
        }
        let direction = newest ? "desc" : "asc"
        values.append(.int(query.limit))
        return Statement(sql + " order by e.recorded_at \(direction), e.id \(direction) limit $\(values.count)", values)
    }
}
