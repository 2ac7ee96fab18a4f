import DiaryCore
import FoundationEssentials

/// An account as `diary user show` prints it.
struct UserReport: Sendable {
    let user: UserID
    let overview: UserOverview
    /// nil when the key database did not answer.
    let hasKey: Bool?

    static let form = ReportForm<UserReport>(
        .member("id") { $0.user.description },
        .member("created_at") { $0.overview.createdAt },
        .member("disabled_at") { $0.overview.disabledAt },
        .member("deleted_at") { $0.overview.deletedAt },
        .member("has_key") { $0.hasKey },
        .member("sign_in_methods") { $0.overview.signInMethods },
        .member("live_sessions") { $0.overview.liveSessions },
        .member("last_used_at") { $0.overview.lastUsedAt },
        .member("entries") { $0.overview.entries },
        .member("recording_bytes") { $0.overview.recordingBytes },
        .member("exports") { $0.overview.exports },
        .member("waiting_jobs") { $0.overview.waitingJobs },
        .member("dead_jobs") { $0.overview.deadJobs })

    private var state: String {
        if overview.deletedAt != nil { return "being erased" }
        if hasKey == false { return "unreadable: its key is gone (`diary restore-check`); `diary user erase` removes what is left" }
        return overview.disabledAt.map { "disabled since \($0.text)" } ?? "open"
    }

    func show(json: Bool) {
        if json { return Self.form.show(json: self) }
        print("\(user)  \(state)")
        if hasKey == nil { print("  key           not looked for: the key database does not answer") }
        print("  since         \(overview.createdAt.text)")
        print("  sign-in by    \(overview.signInMethods.isEmpty ? "none" : overview.signInMethods.joined(separator: ", "))")
        print("  sessions      \(overview.liveSessions) living, last used \(overview.lastUsedAt?.text ?? "never")")
        print("  entries       \(overview.entries), recordings of \(overview.recordingBytes) bytes")
        print("  exports       \(overview.exports)")
        print("  jobs          \(overview.waitingJobs) waiting, \(overview.deadJobs) failed permanently")
    }
}
