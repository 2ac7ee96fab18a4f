import DiaryCore
import PostgresClient

/// One text for each of the sixteen forms: with conditions like `$n is null or …` a generic plan could not use the index's ranges, and
/// a late page would read all pages before it.
struct ListingQuery {
    var hasFrom = false
    var hasTo = false
    var hasPosition = false
    var order: DateOrder

    var place: Int { (hasFrom ? 1 : 0) + (hasTo ? 2 : 0) + (hasPosition ? 4 : 0) + (order == .newestFirst ? 8 : 0) }

    static let texts = (0..<16).map { place in
        SQL(
            ListingQuery(
                hasFrom: place & 1 != 0, hasTo: place & 2 != 0, hasPosition: place & 4 != 0,
                order: place & 8 != 0 ? .newestFirst : .oldestFirst
            )
            .text)
    }

    /// Parameters: tenant, user, those of from, to and position that are present, and the limit.
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
            sql += " and (e.recorded_at, e.id) \(order == .newestFirst ? "<" : ">") ($\(count - 1), $\(count))"
        }
        let direction = order.rawValue
        return PostgresEntryStore.bounded(sql, order: ["recorded_at \(direction)", "id \(direction)"], limit: "$\(count + 1)")
    }
}
