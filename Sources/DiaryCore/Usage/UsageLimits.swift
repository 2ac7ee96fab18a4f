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

    package init(
        minutesPerDay: Int64? = nil, tokensPerDay: Int64? = nil, costPerDay: Int64? = nil, appCostPerDay: Int64? = nil,
        storageBytes: Int64? = nil
    ) {
        self.minutesPerDay = minutesPerDay
        self.tokensPerDay = tokensPerDay
        self.costPerDay = costPerDay
        self.appCostPerDay = appCostPerDay
        self.storageBytes = storageBytes
    }
}

extension TenantConfiguration {
    package var usageLimits: UsageLimits {
        UsageLimits(
            minutesPerDay: whole(.engineMinutesPerDay), tokensPerDay: whole(.engineTokensPerDay), costPerDay: whole(.engineCostPerDay),
            appCostPerDay: whole(.appCostPerDay), storageBytes: whole(.storageBytes))
    }
}
