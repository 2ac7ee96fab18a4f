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
