package import DiaryCore
package import PostgresClient

/// What `diary tenant usage` reads, by functions that the database role `diary_admin` may call: numbers, days and ids of accounts.
package struct PostgresUsageAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Use by day; days without use are left out. Erased accounts are in it.
    package func days(
        of tenant: TenantID, from first: CalendarDay, to last: CalendarDay
    ) async throws(DiaryError) -> [AppUsage<CalendarDay>] {
        try await pool.forClient.all(
            "select day, audio_ms, input_tokens, output_tokens, cost, calls from admin_usage_by_day($1, $2, $3)",
            [.uuid(tenant.uuid), .date(first.description), .date(last.description)]
        ) { row in
            AppUsage(key: try row.calendarDay(), amount: try UsageAmount(&row), calls: try row.int())
        }
    }

    /// The most expensive first, of the accounts that used or store something.
    package func users(
        of tenant: TenantID, from first: CalendarDay, to last: CalendarDay
    ) async throws(DiaryError) -> [AppUsage<UserID>] {
        try await pool.forClient.all(
            "select user_id, audio_ms, input_tokens, output_tokens, cost, calls, stored_bytes from admin_usage_by_user($1, $2, $3)",
            [.uuid(tenant.uuid), .date(first.description), .date(last.description)]
        ) { row in
            AppUsage(key: UserID(try row.uuid()), amount: try UsageAmount(&row), calls: try row.int(), storedBytes: try row.int())
        }
    }
}

extension UsageAmount {
    /// From four columns.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            audioMilliseconds: try row.int(), inputTokens: try row.int(), outputTokens: try row.int(), cost: try row.int())
    }
}
