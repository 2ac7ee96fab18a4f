import DiaryCore

/// What engines used, and the app's limits on it, as `diary tenant usage` prints them.
enum UsageReport {
    private static let appLimits = ReportForm<UsageLimits>(.member("cost_per_day", orNull: true) { $0.appCostPerDay })

    private static let accountLimits = ReportForm<UsageLimits>(
        .member("engine_minutes_per_day", orNull: true) { $0.minutesPerDay },
        .member("engine_tokens_per_day", orNull: true) { $0.tokensPerDay },
        .member("engine_cost_per_day", orNull: true) { $0.costPerDay },
        .member("storage_max_bytes", orNull: true) { $0.storageBytes })

    struct Row: Sendable {
        /// A day, or an account's id.
        let key: String
        let amount: UsageAmount
        let calls: Int64
        let storedBytes: Int64?
        let limits: UsageLimits
    }

    /// A row for each day.
    static let days = form("day", appLimits)
    /// A row for each account.
    static let users = form("user", accountLimits)

    private static func form(_ key: String, _ limits: ReportForm<UsageLimits>) -> ReportForm<Row> {
        ReportForm<Row>(
            .field(key, column: "of") { $0.key },
            .member("audio_seconds") { $0.amount.audioSeconds },
            .column("minutes") { UsageReport.decimal($0.amount.audioSeconds / 60, places: 1) },
            .field("input_tokens", column: "tokens in") { $0.amount.inputTokens },
            .field("output_tokens", column: "tokens out") { $0.amount.outputTokens },
            .member("cost") { $0.amount.cost },
            .column("cost") { UsageReport.cost($0.amount.cost) },
            .field("calls") { $0.calls },
            .field("storage_bytes", column: "stored bytes") { $0.storedBytes },
            .object("limits", limits) { $0.limits })
    }

    static func show<Key: CustomStringConvertible & Sendable>(
        _ usage: [AppUsage<Key>], _ limits: UsageLimits, as form: ReportForm<Row>, json: Bool
    ) {
        let rows = usage.map {
            Row(key: $0.key.description, amount: $0.amount, calls: $0.calls, storedBytes: $0.storedBytes, limits: limits)
        }
        form.show(rows, json: json)
        guard !json else { return }
        print("")
        table(of: limits).show()
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
