package import DiaryCore

/// The work of one kind of job. Registered with the `JobLoop`; everything else about the kind is in its `JobDescriptor`.
package protocol Job: Sendable {
    var kind: JobKind { get }
    /// Does the work and writes its result, which ends the job.
    /// - Returns: the kind of the job that was committed with the result; the runner sends its signal.
    func run(_ job: LeasedJob) async throws(JobStop) -> JobKind?
}
