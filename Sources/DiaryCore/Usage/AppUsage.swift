/// What one day, or one account in a range of days, used.
package struct AppUsage<Key: Sendable>: Sendable {
    package let key: Key
    package let amount: UsageAmount
    /// Calls of engines that answered.
    package let calls: Int64
    /// Bytes that an account stores now; nil for a day.
    package var storedBytes: Int64? = nil

    package init(key: Key, amount: UsageAmount, calls: Int64, storedBytes: Int64? = nil) {
        self.key = key
        self.amount = amount
        self.calls = calls
        self.storedBytes = storedBytes
    }
}
