import DiaryCore

/// How a job says how much of its work is done. Written with the next heartbeat.
package enum JobProgress {
    @TaskLocal static var note: (@Sendable (Int?) -> Void)?

    /// Of the job that runs in this task; without one it does nothing.
    /// - Parameter percent: from 0 to 100.
    package static func report(_ percent: Int) { note?(min(max(percent, 0), 100)) }

    /// The work begins anew, and how much of it is done is not known.
    static func forget() { note?(nil) }
}
