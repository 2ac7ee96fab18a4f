import DiaryCore
import WireFormats

/// What an account has used today (UTC) and stores, each beside its limit; null where there is none.
enum UsagePayload {
    static func write(_ usage: AccountUsage, within limits: UsageLimits, to w: inout JSONWriter) {
        w.member("day", usage.day)
        w.member("engine_seconds", usage.today.audioSeconds)
        w.member("engine_minutes_per_day", limits.minutesPerDay)
        w.member("engine_tokens", usage.today.tokens)
        w.member("engine_tokens_per_day", limits.tokensPerDay)
        w.member("engine_cost", usage.today.cost)
        w.member("engine_cost_per_day", limits.costPerDay)
        w.member("storage_bytes", usage.storedBytes)
        w.member("storage_max_bytes", limits.storageBytes)
    }
}
