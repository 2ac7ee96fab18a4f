package import DiaryCore
import FoundationEssentials
import PostgresClient

extension PostgresEntryStore {
    package func onThisDay(_ query: OnThisDayQuery, of member: Member) async throws(DiaryError) -> EntryPage {
        try await transaction.of(member).run([Self.onThisDay(query, of: member.owner)]) { try EntryPage($0[0]) }
    }

    static func onThisDay(_ query: OnThisDayQuery, of owner: Owner) -> Statement {
        Statement(
            dayPage,
            owner.parameters + [
                .timestamp(query.now), .int4(query.day.map { Int32(clamping: $0.month) }), .int4(query.day.map { Int32(clamping: $0.day) }),
                .timestamp(query.after?.recordedAt), .uuid(query.after?.id.uuid), .int(query.limit),
            ])
    }

    /// One range of the index for each year of the diary: `offset 0` keeps the planner from joining all entries with the days. Parameters:
    /// tenant, user, the present time, month and day (null: the member's today), time and id of the position, limit.
    private static let dayPage = SQL(
        bounded(
            """
            from (
                select make_date(y.year, a.month, 1) + a.day - 1 as day
                from (
                    select $4::int as month, $5::int as day where $4::int is not null
                    union all
                    select extract(month from d.day)::int, extract(day from d.day)::int
                    from (
                        select t.day from (
                            select \(OwnDay.today("u", at: "$3")) as day from users u where u.tenant_id = $1 and u.id = $2) t
                        union all
                        -- In other years 29 February has its day on the 28th.
                        select date '2024-02-29' from (
                            select \(OwnDay.today("u", at: "$3")) as day from users u where u.tenant_id = $1 and u.id = $2) t
                        where to_char(t.day, 'MMDD') = '0228' and to_char(t.day + 1, 'MMDD') = '0301') d
                    where $4::int is null) a,
                generate_series(
                    (select extract(year from min(x.recorded_at))::int - 1 from entries x
                        where x.tenant_id = $1 and x.user_id = $2 and x.deleted_at is null),
                    (select extract(year from max(x.recorded_at))::int + 1 from entries x
                        where x.tenant_id = $1 and x.user_id = $2 and x.deleted_at is null)) as y (year)
                where extract(month from make_date(y.year, a.month, 1) + a.day - 1) = a.month) d
            cross join lateral (
                select e.* from entries e
                where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null and \(DayRange.from("d.day")) and \(DayRange.to("d.day"))
                offset 0) e
            where $6::timestamptz is null or (e.recorded_at, e.id) < ($6, $7)
            """, limit: "$8"
        ) { "\($0)recorded_at desc, \($0)id desc" })
}

/// The day that it is for a member: the date of their clock less `day_ends_at`, as `diary_day` computes it for entries.
enum OwnDay {
    /// - Parameters:
    ///   - user: an alias of the row of `users`.
    ///   - time: an SQL expression of type timestamptz.
    static func today(_ user: String, at time: String) -> String {
        "diary_day(\(time)::timestamptz at time zone \(user).time_zone, \(user).day_ends_minute)"
    }
}
