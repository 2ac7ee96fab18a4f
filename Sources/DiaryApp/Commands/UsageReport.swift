import DiaryCore

/// What engines used, and the app's limits on it, as `diary tenant usage` prints them.
enum UsageReport {
    /// Limits on all accounts together.
    private struct AppLimits: Encodable {
        /// In millionths.
        @OrNull var cost_per_day: Int64?
    }

    /// Limits on each account.
    private struct AccountLimits: Encodable {
        @OrNull var engine_minutes_per_day: Int64?
        @OrNull var engine_tokens_per_day: Int64?
        /// In millionths.
        @OrNull var engine_cost_per_day: Int64?
        @OrNull var storage_max_bytes: Int64?
    }

    private struct Row<Limits: Encodable>: Encodable {
        let day: String?
        let user: String?
        let audio_seconds: Double
        let input_tokens: Int64
        let output_tokens: Int64
        /// In millionths.
        let cost: Int64
        let calls: Int64
        let storage_bytes: Int64?
        let limits: Limits

        init<Key>(_ usage: AppUsage<Key>, day: String? = nil, user: String? = nil, limits: Limits) {
            self.day = day
            self.user = user
            audio_seconds = usage.amount.audioSeconds
            input_tokens = usage.amount.inputTokens
            output_tokens = usage.amount.outputTokens
            cost = usage.amount.cost
            calls = usage.calls
            storage_bytes = usage.storedBytes
            self.limits = limits
        }
    }

    static func show(_ days: [AppUsage<CalendarDay>], _ limits: UsageLimits, json: Bool) throws {
        let ofApp = AppLimits(cost_per_day: limits.appCostPerDay)
        try show(days.map { Row($0, day: $0.key.description, limits: ofApp) }, limits, json: json)
    }

    static func show(_ users: [AppUsage<UserID>], _ limits: UsageLimits, json: Bool) throws {
        let ofAccount = AccountLimits(
            engine_minutes_per_day: limits.minutesPerDay, engine_tokens_per_day: limits.tokensPerDay,
            engine_cost_per_day: limits.costPerDay, storage_max_bytes: limits.storageBytes)
        try show(users.map { Row($0, user: $0.key.description, limits: ofAccount) }, limits, json: json)
    }

    private static func show<Limits: Encodable>(_ rows: [Row<Limits>], _ limits: UsageLimits, json: Bool) throws {
        if json { return try CommandOutput.json(rows) }
        var table = TextTable("of", "minutes", "tokens in", "tokens out", "cost", "calls", "stored bytes")
        for row in rows {
            table.add(
                row.day ?? row.user ?? "", decimal(row.audio_seconds / 60, places: 1), String(row.input_tokens), String(row.output_tokens),
                cost(row.cost), String(row.calls), row.storage_bytes.map { String($0) } ?? "")
        }
        table.show()
        print("")
        Self.table(of: limits).show()
    }

    /// By the names of their settings, in the units of the table above.
    static func table(of limits: UsageLimits) -> TextTable {
        var table = TextTable("limit", "is")
        table.add(TenantSetting.appCostPerDay.name, limits.appCostPerDay.map { cost($0) } ?? "none")
        table.add(TenantSetting.engineMinutesPerDay.name, limits.minutesPerDay.map { String($0) } ?? "none")
        table.add(TenantSetting.engineTokensPerDay.name, limits.tokensPerDay.map { String($0) } ?? "none")
        table.add(TenantSetting.engineCostPerDay.name, limits.costPerDay.map { cost($0) } ?? "none")
        table.add(TenantSetting.storageBytes.name, limits.storageBytes.map { String($0) } ?? "none")
        return table
    }

    private static func cost(_ millionths: Int64) -> String { decimal(Double(millionths) / 1_000_000, places: 4) }

    private static func decimal(_ number: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64(exactly: (number * scale).rounded()) ?? 0
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
