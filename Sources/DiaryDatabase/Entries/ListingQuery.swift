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

    private static let byTime = forms(.recordedAt).map { SQL($0.text) }
    private static let byDuration = forms(.duration).map { SQL($0.text) }
    private static let byChange = forms(.updatedAt).map { SQL($0.text) }

    /// By `formIndex`.
    static func forms(_ sort: EntrySort) -> [ListingQuery] {
        (0..<32).map { formIndex in
            ListingQuery(
                hasFrom: formIndex & 1 != 0, hasTo: formIndex & 2 != 0, hasPosition: formIndex & 4 != 0,
                hasFilter: formIndex & 16 != 0, sort: sort, order: formIndex & 8 != 0 ? .newestFirst : .oldestFirst)
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

    /// Parameters: those of `conditions`, and the limit.
    private var text: String {
        let (sql, count) = conditions
        let direction = order.rawValue
        return PostgresEntryStore.bounded("from entries e where \(sql)", limit: "$\(count + 1)") {
            "\(key($0)) \(direction), \($0)id \(direction)"
        }
    }

    /// Which entries `e` there are. Parameters, counted beside it: tenant, user, those of from, to, position and filter that are present.
    var conditions: (sql: String, count: Int) {
        var sql = "e.tenant_id = $1 and e.user_id = $2 and e.deleted_at is null"
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
        return (sql, count)
    }

    /// The form of a query, and the values of the parameters of its `conditions`, with `others` behind them.
    static func form(of query: DateQuery, _ owner: Owner, then others: Parameter...) -> (form: ListingQuery, values: [Parameter]) {
        var form = ListingQuery(sort: query.sort, order: query.order)
        var values = owner.parameters
        values.reserveCapacity(13)
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
            switch after.value {
            case .recordedAt(let time), .updatedAt(let time): values.append(.timestamp(time))
            case .duration(let seconds): values.append(.double(seconds))
            }
            values.append(.uuid(after.id.uuid))
        }
        let filter = query.filter
        if !filter.isEmpty {
            form.hasFilter = true
            values += [
                .text(filter.kind?.rawValue), .text(filter.status?.rawValue), .bool(filter.isFavorite),
                .ints(filter.labels.isEmpty ? nil : filter.hashes), .uuid(filter.speaker?.uuid),
            ]
        }
        values += others
        return (form, values)
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
