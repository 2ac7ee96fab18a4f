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
        try await read(
            "select day, audio_ms, input_tokens, output_tokens, cost, calls from admin_usage_by_day($1, $2, $3)", tenant, first, last
        ) {
            row throws(DatabaseError) in
            guard let day = CalendarDay(try row.day(0)) else { throw DatabaseError(.decoding, column: 0) }
            return AppUsage(key: day, amount: try UsageAmount(row, at: 1), calls: try row.int(5))
        }
    }

    /// The most expensive first, of the accounts that used or store something.
    package func users(
        of tenant: TenantID, from first: CalendarDay, to last: CalendarDay
    ) async throws(DiaryError) -> [AppUsage<UserID>] {
        try await read(
            "select user_id, audio_ms, input_tokens, output_tokens, cost, calls, stored_bytes from admin_usage_by_user($1, $2, $3)", tenant,
            first,
            last
        ) { row throws(DatabaseError) in
            AppUsage(key: UserID(try row.uuid(0)), amount: try UsageAmount(row, at: 1), calls: try row.int(5), storedBytes: try row.int(6))
        }
    }

    private func read<Key>(
        _ sql: String, _ tenant: TenantID, _ first: CalendarDay, _ last: CalendarDay,
        _ decode: (Row) throws(DatabaseError) -> AppUsage<Key>
    ) async throws(DiaryError) -> [AppUsage<Key>] {
        do {
            let statement = Statement(sql, [.uuid(tenant.uuid), .date(first.description), .date(last.description)])
            var found: [AppUsage<Key>] = []
            for row in try await pool.run([statement])[0] { found.append(try decode(row)) }
            return found
        } catch {
            throw error.forClient
        }
    }
}

extension UsageAmount {
    /// From four columns.
    init(_ row: Row, at first: Int) throws(DatabaseError) {
        self.init(
            audioMilliseconds: try row.int(first), inputTokens: try row.int(first + 1), outputTokens: try row.int(first + 2),
            cost: try row.int(first + 3))
    }
}
