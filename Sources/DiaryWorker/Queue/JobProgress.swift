import DiaryCore

/// How a job says how much of its work is done. Written with the next heartbeat.
package struct JobProgress: Sendable {
    /// A struct, not a closure: for a task-local value of function type Swift 6.3 passes no type metadata when it optimises, and the process
    /// ends with a bad pointer at the first job.
    @TaskLocal static var current = JobProgress { _ in }

    let note: @Sendable (Int?) -> Void

    /// Notes the progress of the job that runs in this task; without one it does nothing.
    /// - Parameter percent: from 0 to 100.
    package static func report(_ percent: Int) { current.note(min(max(percent, 0), 100)) }

    /// The work starts over, so that its progress is unknown.
    static func forget() { current.note(nil) }
}
