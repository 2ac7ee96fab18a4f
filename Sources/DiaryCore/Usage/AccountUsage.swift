/// What an account has used today (UTC) and what it stores.
package struct AccountUsage: Sendable, Equatable {
    package var day: CalendarDay? = nil
    package var today: UsageAmount = UsageAmount()
    /// Bytes of recordings, from their announcement on; deleted and expired ones do not count.
    package var storedBytes: Int64 = 0

    package init(day: CalendarDay? = nil, today: UsageAmount = UsageAmount(), storedBytes: Int64 = 0) {
        self.day = day
        self.today = today
        self.storedBytes = storedBytes
    }
}
