package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// What an operator does after a restore, by the database role `diary_admin` of the main database.
package struct PostgresRestoreAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    package struct Epoch: Sendable {
        /// The time that is lost.
        package let lost: ClosedRange<Date>
    }

    /// From now on every position of the feed that was given before has expired, and the objects of the lost time are kept.
    /// - Parameter since: when the lost time began; nil is the last sweep that the database knows of.
    package func beginEpoch(lostSince since: Date?) async throws(DiaryError) -> Epoch {
        let rows = try await run(Statement("select since, until from admin_new_epoch($1)", [.timestamp(since)]))
        guard let lost = try decoding({ () throws(DatabaseError) in try rows.times().first }) else {
            throw DiaryError(.internalError, cause: "no epoch was begun")
        }
        return Epoch(lost: lost)
    }

    /// Objects of these times are not removed by sweepers.
    package func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] {
        let rows = try await run(Statement("select since, until from kept_times()"))
        return try decoding { () throws(DatabaseError) in try rows.times() }
    }

    /// From now on sweepers remove what no row names of the times up to `end`.
    package func releaseKept(through end: Date) async throws(DiaryError) {
        _ = try await run(Statement("select admin_release_kept($1)", [.timestamp(end)]))
    }

    package func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        guard !keys.isEmpty else { return [] }
        let query = OrphanQuery(keys: keys)
        let rows = try await run(query.statement)
        return try decoding { () throws(DatabaseError) in try query.orphans(rows) }
    }

    private func run(_ statement: Statement) async throws(DiaryError) -> Rows {
        do { return try await pool.run([statement])[0] } catch { throw error.forClient }
    }
}
