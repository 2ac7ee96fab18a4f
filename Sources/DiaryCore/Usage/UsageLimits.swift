/// What engines may use in a day, and what an account may store; nil where there is no limit. Days are those of UTC.
package struct UsageLimits: Sendable, Equatable {
    /// Minutes of audio, for each account.
    package var minutesPerDay: Int64?
    /// Tokens sent and received together, for each account.
    package var tokensPerDay: Int64?
    /// Cost for each account, in millionths of the operator's currency.
    package var costPerDay: Int64?
    /// Cost for all the app's accounts together, in millionths.
    package var appCostPerDay: Int64?
    /// Bytes of recordings, for each account.
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
