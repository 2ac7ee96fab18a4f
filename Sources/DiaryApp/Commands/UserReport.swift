import DiaryCore
import FoundationEssentials

/// An account as `diary user show` prints it.
enum UserReport {
    private struct Row: Encodable {
        let id: String
        let created_at: String
        let disabled_at: String?
        let deleted_at: String?
        /// Absent when the key database did not answer.
        let has_key: Bool?
        let sign_in_methods: [String]
        let live_sessions: Int
        let last_used_at: String?
        let entries: Int
        let recording_bytes: Int64
        let exports: Int
        let waiting_jobs: Int
        let dead_jobs: Int

        var state: String {
            if deleted_at != nil { return "being erased" }
            if has_key == false { return "unreadable: its key is gone (`diary restore-check`); `diary user erase` removes what is left" }
            return disabled_at.map { "disabled since \($0)" } ?? "open"
        }
    }

    /// - Parameter hasKey: nil when the key database did not answer.
    static func show(_ overview: UserOverview, hasKey: Bool?, of owner: Owner, json: Bool) throws {
        let row = Row(
            id: owner.user.description, created_at: overview.createdAt.formatted(.iso8601),
            disabled_at: overview.disabledAt?.formatted(.iso8601), deleted_at: overview.deletedAt?.formatted(.iso8601),
            has_key: hasKey, sign_in_methods: overview.signInMethods, live_sessions: overview.liveSessions,
            last_used_at: overview.lastUsedAt?.formatted(.iso8601),
            entries: overview.entries, recording_bytes: overview.recordingBytes, exports: overview.exports,
            waiting_jobs: overview.waitingJobs, dead_jobs: overview.deadJobs)
        if json { return try CommandOutput.json(row) }
        print("\(row.id)  \(row.state)")
        if row.has_key == nil { print("  key           not looked for: the key database does not answer") }
        print("  since         \(row.created_at)")
        print("  sign-in by    \(row.sign_in_methods.isEmpty ? "none" : row.sign_in_methods.joined(separator: ", "))")
        print("  sessions      \(row.live_sessions) living, last used \(row.last_used_at ?? "never")")
        print("  entries       \(row.entries), recordings of \(row.recording_bytes) bytes")
        print("  exports       \(row.exports)")
        print("  jobs          \(row.waiting_jobs) waiting, \(row.dead_jobs) failed permanently")
    }
}
