import DiaryCore

/// What engines used, as `diary tenant usage` prints it.
enum UsageReport {
    private struct Row: Encodable {
        let day: String?
        let user: String?
        let audio_seconds: Double
        let input_tokens: Int64
        let output_tokens: Int64
        /// In millionths.
        let cost: Int64
        let calls: Int64
        let storage_bytes: Int64?

        init<Key>(_ usage: AppUsage<Key>, day: String? = nil, user: String? = nil) {
            self.day = day
            self.user = user
            audio_seconds = usage.amount.audioSeconds
            input_tokens = usage.amount.inputTokens
            output_tokens = usage.amount.outputTokens
            cost = usage.amount.cost
            calls = usage.calls
            storage_bytes = usage.storedBytes
        }
    }

    static func show(_ days: [AppUsage<CalendarDay>], json: Bool) throws {
        try show(days.map { Row($0, day: $0.key.description) }, json: json)
    }

    static func show(_ users: [AppUsage<UserID>], json: Bool) throws {
        try show(users.map { Row($0, user: $0.key.description) }, json: json)
    }

    private static func show(_ rows: [Row], json: Bool) throws {
        if json { return try CommandOutput.json(rows) }
        var table = TextTable("of", "minutes", "tokens in", "tokens out", "cost", "calls", "stored bytes")
        for row in rows {
            table.add(
                row.day ?? row.user ?? "", decimal(row.audio_seconds / 60, places: 1), String(row.input_tokens), String(row.output_tokens),
                decimal(Double(row.cost) / 1_000_000, places: 4), String(row.calls), row.storage_bytes.map { String($0) } ?? "")
        }
        table.show()
    }

    private static func decimal(_ number: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64(exactly: (number * scale).rounded()) ?? 0
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
