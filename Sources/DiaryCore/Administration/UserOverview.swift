package import FoundationEssentials

/// What an administrator may see of an account: times and counts, no text, no address.
package struct UserOverview: Sendable, Equatable {
    package var createdAt: Date
    package var disabledAt: Date?
    package var deletedAt: Date?
    /// `email`, `apple`, `google`, each with `(not verified)` where that is so.
    package var signInMethods: [String]
    package var liveSessions: Int
    package var lastUsedAt: Date?
    package var entries: Int
    package var recordingBytes: Int64
    package var exports: Int
    package var waitingJobs: Int
    package var deadJobs: Int

    package init(
        createdAt: Date, disabledAt: Date?, deletedAt: Date?, signInMethods: [String], liveSessions: Int, lastUsedAt: Date?, entries: Int,
        recordingBytes: Int64, exports: Int, waitingJobs: Int, deadJobs: Int
    ) {
        self.createdAt = createdAt
        self.disabledAt = disabledAt
        self.deletedAt = deletedAt
        self.signInMethods = signInMethods
        self.liveSessions = liveSessions
        self.lastUsedAt = lastUsedAt
        self.entries = entries
        self.recordingBytes = recordingBytes
        self.exports = exports
        self.waitingJobs = waitingJobs
        self.deadJobs = deadJobs
    }
}
