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
                Statement(
                    """
                    select \(EntryColumns.list) from entries e
                    where e.tenant_id = $1 and e.user_id = $2 and e.change_number > $3 and ($4::timestamptz is null or e.updated_at >= $4)
                    order by e.change_number limit $5
                    """, member.owner.parameters + [.int(after), .timestamp(since), .int(limit)]),
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
        let newest = query.order == .newestFirst
        let rows = try await door.run(
            member,
            [
                Statement(
                    """
                    select \(EntryColumns.list) from entries e
                    where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null
                        and ($3::date is null or e.recorded_local >= $3::date)
                        and ($4::date is null or e.recorded_local < $4::date + 1)
                        and ($5::timestamptz is null or (e.recorded_at, e.id) \(newest ? "<" : ">") ($5, $6::uuid))
                    order by e.recorded_at \(newest ? "desc" : "asc"), e.id \(newest ? "desc" : "asc") limit $7
                    """,
                    member.owner.parameters + [
                        .date(query.from?.description), .date(query.to?.description), .timestamp(query.after?.recordedAt), .uuid(query.after?.id.uuid),
                        .int(query.limit),
                    ])
            ])
        return try decoding { () throws(DatabaseError) in try rows[0].map { row throws(DatabaseError) in try StoredEntry(row) } }
    }
}
