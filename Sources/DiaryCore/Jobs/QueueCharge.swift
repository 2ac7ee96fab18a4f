/// What an ended job took of its queue beyond the estimate that was charged at its claim.
package struct QueueCharge: Sendable, Equatable {
    package let owner: Owner
    /// Short and long jobs are counted apart.
    package let isLong: Bool
    /// Negative when the job took less.
    package let milliseconds: Int64

    package init(_ job: LeasedJob, took elapsed: Duration) {
        let (seconds, attoseconds) = elapsed.components
        owner = job.owner
        isLong = job.isLong
        // A cost is a small number of seconds; a day bounds both, so that no sum overflows.
        milliseconds =
            min(seconds, 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000 - Int64(min(max(job.cost, 0), 86_400) * 1_000)
    }
}
