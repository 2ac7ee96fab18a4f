import DiaryCore
import PostgresClient

/// One text for each of the forms: with conditions like `$n is null or …` a generic plan could not use the index's ranges, and
/// a late page would read all pages before it. A filter's values have no index of their own, so one form has all of them.
struct ListingQuery {
    var hasFrom = false
    var hasTo = false
    var hasPosition = false
    var hasFilter = false
    var sort: EntrySort
    var order: DateOrder

    /// Of `texts`.
    var formIndex: Int {
        (hasFrom ? 1 : 0) + (hasTo ? 2 : 0) + (hasPosition ? 4 : 0) + (order == .newestFirst ? 8 : 0) + (hasFilter ? 16 : 0)
    }

    /// One for each of the forms.
    static func texts(_ sort: EntrySort) -> [SQL] {
        switch sort {
        case .recordedAt: byTime
        case .duration: byDuration
        case .updatedAt: byChange
        }
    }

    private static let byTime = forms(.recordedAt)
    private static let byDuration = forms(.duration)
    private static let byChange = forms(.updatedAt)

    private static func forms(_ sort: EntrySort) -> [SQL] {
        (0..<32).map { formIndex in
            SQL(
                ListingQuery(
                    hasFrom: formIndex & 1 != 0, hasTo: formIndex & 2 != 0, hasPosition: formIndex & 4 != 0,
                    hasFilter: formIndex & 16 != 0, sort: sort, order: formIndex & 8 != 0 ? .newestFirst : .oldestFirst
                )
                .text)
        }
    }

    /// What it is sorted by. Only times of recording have an index: an account's entries are sorted for the others.
    /// - Parameter row: an alias with a point, or nothing.
    private func key(_ row: String) -> String {
        switch sort {
        case .recordedAt: "\(row)recorded_at"
        case .duration: "coalesce(\(row)duration_s, 0)"
        case .updatedAt: "\(row)updated_at"
        }
    }

    /// Parameters: tenant, user, those of from, to, position and filter that are present, and the limit.
    private var text: String {
        var sql = "from entries e where e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null"
        var count = 2
        if hasFrom {
            count += 1
            sql += " and " + DayRange.from("$\(count)")
        }
        if hasTo {
            count += 1
            sql += " and " + DayRange.to("$\(count)")
        }
        if hasPosition {
            count += 2
            sql += " and (\(key("e.")), e.id) \(order == .newestFirst ? "<" : ">") ($\(count - 1), $\(count))"
        }
        if hasFilter {
            sql += Self.filter(after: count)
            count += 5
        }
        let direction = order.rawValue
        return PostgresEntryStore.bounded(sql, limit: "$\(count + 1)") { "\(key($0)) \(direction), \($0)id \(direction)" }
    }

    /// Kind, status, favourite, hashes of labels and a speaker's profile; null is any.
    private static func filter(after count: Int) -> String {
        """
         and ($\(count + 1)::text is null or e.kind = $\(count + 1)) and ($\(count + 2)::text is null or e.status = $\(count + 2))
            and ($\(count + 3)::boolean is null or e.favorite = $\(count + 3))
            and ($\(count + 4)::bigint[] is null or e.label_hashes @> $\(count + 4))
            and ($\(count + 5)::uuid is null or exists (select from segment_corrections c
                where c.tenant_id = $1 and c.user_id = $2 and c.entry_id = e.id and c.speaker_ids @> array[$\(count + 5)]))
        """
    }
}

/// Conditions that select entries `e` by their days (decision D17). The index holds `recorded_at`, so each has a bound of it too: a local time
/// differs from UTC by less than 16 hours, and a day ends less than 12 hours after midnight.
enum DayRange {
    /// - Parameter day: an SQL expression of type date.
    static func from(_ day: String) -> String {
        "e.local_date >= \(day) and e.recorded_at >= \(day)::timestamp at time zone 'UTC' - interval '16 hours'"
    }

    /// The day itself is in the range.
    static func to(_ day: String) -> String {
        "e.local_date <= \(day) and e.recorded_at < (\(day) + 1)::timestamp at time zone 'UTC' + interval '28 hours'"
    }
}
