/// What engines may use in a day, and what an account may store; nil where there is no limit. Days are those of UTC.
package struct UsageLimits: Sendable, Equatable {
    /// Of each account.
    package var minutesPerDay: Int64?
    /// Of each account, sent and received together.
    package var tokensPerDay: Int64?
    /// Of each account, in millionths of the operator's currency.
    package var costPerDay: Int64?
    /// Of all the app's accounts together, in millionths.
    package var appCostPerDay: Int64?
    /// Of each account's recordings.
    package var storageBytes: Int64?
}

extension UsageLimits {
    /// Of audio, of each account.
    package var secondsPerDay: Double? { minutesPerDay.map { Double($0) * 60 } }
}

extension TenantConfiguration {
    package var usageLimits: UsageLimits {
        UsageLimits(
            minutesPerDay: whole(.engineMinutesPerDay), tokensPerDay: whole(.engineTokensPerDay), costPerDay: whole(.engineCostPerDay),
            appCostPerDay: whole(.appCostPerDay), storageBytes: whole(.storageBytes))
    }
}
