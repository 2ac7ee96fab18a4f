package import FoundationEssentials

/// Makes the exports of schedules that are due. Any number of workers and of `diary exports run-due` may run it at the same time: the
/// transaction that makes an export claims its period, so that none is made twice and none is lost when a runner dies.
package struct RunDueSchedules: Sendable {
    package struct Report: Sendable, Equatable {
        package var due = 0
        package var made = 0
        /// Schedules whose export another runner has made, and those that ended meanwhile.
        package var taken = 0
        /// Paused, because their last exports have all failed.
        package var paused = 0
        /// To their next times, because their accounts have had the most exports of a day.
        package var putOff = 0
        package var failed = 0
    }

    let store: any DueScheduleStore
    /// nil: workers find the jobs at their next poll.
    let jobSignals: (any JobSignals)?
    let zones: ZoneDatabase
    let limits: Limits
    let clock: WallClock

    static let batch = 100
    /// Failures in a row after which a schedule is paused: sixteen hours of trying.
    static let mostFailures = 12
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
    /// - Throws: when the database is down. A failure of one schedule does not stop the others.
    package func run(
        of tenant: TenantID? = nil, isStopping: @Sendable () -> Bool = { false }, each: (DueSchedule, Outcome) -> Void = { _, _ in }
    ) async throws(WorkError) -> Report {
        var report = Report()
        var unanswered = 0
        while !isStopping() {
            let due = try await store.due(of: tenant, limit: Self.batch)
            // In another order than other runners, so that they seldom claim the same one.
            for schedule in due.shuffled() {
                if isStopping() { return report }
                var outcome = Outcome.failed
                var outage: WorkError?
                do throws(WorkError) {
                    outcome = try await run(schedule)
                    unanswered = 0
                } catch {
                    unanswered += 1
                    outage = error
                }
                report.add(outcome)
                each(schedule, outcome)
                if let outage, unanswered == Self.mostUnanswered || Task.isCancelled { throw outage }
            }
            // Every schedule of the page has a later due time by now, so the next page has others.
            if due.count < Self.batch { break }
        }
        return report
    }

    /// The schedules that would run now, and when each would run next.
    package func preview(of tenant: TenantID? = nil) async throws(WorkError) -> [(schedule: DueSchedule, nextRunAt: Date?)] {
        try await store.due(of: tenant, limit: 10_000).map { ($0, plan($0)?.nextRunAt) }
    }

    package enum Outcome: String, Sendable {
        case made, taken, paused
        case putOff = "put_off"
        case failed
    }

    /// - Throws: when the database was down, or did not finish this schedule in time; the schedule is then postponed if possible.
    private func run(_ due: DueSchedule) async throws(WorkError) -> Outcome {
        guard let plan = plan(due) else {
            try await note(.timeZoneUnknown, due)
            return .failed
        }
        let now = clock.now()
        let run = DueRun(
            export: ExportID(UUIDv7.make(at: now)), job: NewJob(.export, id: JobID(UUIDv7.make(at: now))),
            maxDownloads: limits.exportDownloads, plan: plan)
        do throws(WorkError) {
            switch try await store.claim(due, run) {
            case .made:
                jobSignals?.jobCommitted(run.job.kind)
                return .made
            case .taken: return .taken
            case .paused:
                jobSignals?.jobCommitted(.mail)
                return .paused
            case .putOff: return .putOff
            }
        } catch {
            if error == .ownerGone { return .taken }
            try await note(.notMade, due)
            if error.isOutage { throw error }
            return .failed
        }
    }

    private func plan(_ due: DueSchedule) -> SchedulePlan? {
        due.timing?.times(zones).flatMap { SchedulePlan(due, $0) }
    }

    /// A minute, two, four … four hours.
    private func note(_ fault: ScheduleFault, _ due: DueSchedule) async throws(WorkError) {
        let tries = due.failures + 1
        let wait = min(14_400.0, 60 * Double(1 << min(tries - 1, 10)))
        do throws(WorkError) {
            try await store.note(fault, of: due, retrySeconds: tries < Self.mostFailures ? wait : nil)
            if tries >= Self.mostFailures { jobSignals?.jobCommitted(.mail) }
        } catch {
            if error != .ownerGone { throw error }
        }
    }
}

extension RunDueSchedules.Report {
    fileprivate mutating func add(_ outcome: RunDueSchedules.Outcome) {
        due += 1
        switch outcome {
        case .made: made += 1
        case .taken: taken += 1
        case .paused: paused += 1
        case .putOff: putOff += 1
        case .failed: failed += 1
        }
    }
}
