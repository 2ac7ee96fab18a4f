package import FoundationEssentials

/// Makes the exports of schedules that are due. Any number of workers and of `diary exports run-due` may run it at the same time: the
/// transaction that makes an export claims its run, so that none is made twice and none is lost when a runner dies.
package struct RunDueSchedules: Sendable {
    let store: any DueScheduleStore
    /// nil: workers find the jobs at their next poll.
    let jobSignals: (any JobSignals)?
    let zones: ZoneDatabase
    let limits: Limits
    let clock: WallClock

    static let batch = 100
    /// After this many schedules in a row without an answer the database counts as down. Fewer may be slow for their own reasons, such as a
    /// held lock or an account with very many rows.
    static let mostUnanswered = 3

    package init(
        store: any DueScheduleStore, jobSignals: (any JobSignals)?, zones: ZoneDatabase = .system, limits: Limits,
        clock: WallClock = .system
    ) {
        self.store = store
        self.jobSignals = jobSignals
        self.zones = zones
        self.limits = limits
        self.clock = clock
    }

    /// All that are due now.
    /// - Parameters:
    ///   - tenant: nil for all apps.
    ///   - isStopping: asked between two of them.
    ///   - each: called with the result of each schedule.
    /// - Returns: how many had each result.
    /// - Throws: when the database is down. A failure of one schedule does not stop the others.
    @discardableResult
    package func run(
        of tenant: TenantID? = nil, isStopping: @Sendable () -> Bool = { false }, each: (DueSchedule, DueRunOutcome) -> Void = { _, _ in }
    ) async throws(WorkError) -> [DueRunOutcome: Int] {
        var report: [DueRunOutcome: Int] = [:]
        var (last, unanswered): (DueSchedule?, Int) = (nil, 0)
        repeat {
            let due = try await store.due(of: tenant, after: last, limit: Self.batch)
            last = due.count == Self.batch ? due.last : nil
            // In another order than other runners, so that they seldom claim the same one.
            for schedule in due.shuffled() {
                if isStopping() { return report }
                var outcome = DueRunOutcome.failed
                var outage: WorkError?
                do throws(WorkError) {
                    outcome = try await run(schedule)
                    unanswered = 0
                } catch {
                    unanswered = error.isOutage ? unanswered + 1 : 0
                    outage = error.isOutage ? error : nil
                }
                report[outcome, default: 0] += 1
                each(schedule, outcome)
                if let outage, unanswered == Self.mostUnanswered || Task.isCancelled { throw outage }
            }
        } while last != nil
        return report
    }

    /// The schedules that would run now, and when each would run next.
    package func preview(of tenant: TenantID? = nil) async throws(WorkError) -> [(schedule: DueSchedule, nextAt: Date?)] {
        try await store.due(of: tenant, after: nil, limit: 10_000).map { ($0, next($0)) }
    }

    private func run(_ due: DueSchedule) async throws(WorkError) -> DueRunOutcome {
        guard let next = next(due) else { return .failed }
        let run = ScheduledRun(at: clock.now(), limits)
        do throws(WorkError) {
            let outcome = try await store.claim(due, run, nextAt: next)
            if outcome == .made { jobSignals?.jobCommitted(run.job.kind) }
            return outcome
        } catch {
            if error == .ownerGone { return .taken }
            throw error
        }
    }

    /// One run stands for all that were missed. nil: the zone database does not have the zone any more.
    private func next(_ due: DueSchedule) -> Date? { due.timing.next(after: max(due.dueAt, due.now), in: zones) }
}
