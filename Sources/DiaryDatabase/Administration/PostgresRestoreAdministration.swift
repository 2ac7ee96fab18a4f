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
        let lost = try await pool.forClient.one("select since, until from admin_new_epoch($1)", [.timestamp(since)]) { try $0.times() }
        guard let lost else { throw DiaryError(.internalError, cause: "no epoch was begun") }
        return Epoch(lost: lost)
    }

    /// Objects of these times are not removed by sweepers.
    package func keptTimes() async throws(DiaryError) -> [ClosedRange<Date>] {
        try await pool.forClient.all("select since, until from kept_times()") { try $0.times() }
    }

    /// From now on sweepers remove what no row names of the times up to `end`.
    package func releaseKept(through end: Date) async throws(DiaryError) {
        try await pool.forClient.run("select admin_release_kept($1)", [.timestamp(end)])
    }

    package func orphans(among keys: [ObjectKey]) async throws(DiaryError) -> [ObjectKey] {
        guard !keys.isEmpty else { return [] }
        return keys.elements(at: try await pool.forClient.all(OrphanQuery(keys: keys).statement) { try $0.int() })
    }
}
