package import DiaryCore

/// The work of one kind. Returning means that the store has been told that the job is done.
package protocol JobWork: Sendable {
    var kind: JobKind { get }
    var policy: RetryPolicy { get }
    func run(_ job: LeasedJob) async throws(JobStop)
}
