package import FoundationEssentials

/// A schedule whose time has come, as it was seen.
package struct DueSchedule: Sendable {
    package var owner: Owner
    package var id: ExportScheduleID
    /// The app's.
    package var slug: String
    /// nil when what is stored is none.
    package var timing: ScheduleTiming?
    package var covers: ScheduleCoverage
    package var coveredTo: CalendarDay?
    package var failures: Int
    package var dayEndsMinute: Int
    /// The period that is due.
    package var dueAt: Date
    /// The database's time.
    package var now: Date
}

/// The export of a period that is due.
package struct DueRun: Sendable {
    package var export: ExportID
    package var job: NewJob
    package var maxDownloads: Int
    package var plan: SchedulePlan
}

package enum DueRunOutcome: Sendable, Equatable {
    /// The period's export and its job were committed.
    case made
    /// Another runner has it, its owner changed it, or its account was closed.
    case taken
    /// Its last exports have all failed. The mail that tells its owner, and its job, were committed.
    case paused
    /// Its account's schedules have made as many exports as they may in a day. It is due again at its next time, or a day
    /// later where its rule has none.
    case putOff
}

/// Schedules whose time has come, of all accounts, by the database role `diary_worker`.
package protocol DueScheduleStore: Sendable {
    /// The longest due first, without those of apps that are suspended.
    /// - Parameter tenant: nil for all apps.
    func due(of tenant: TenantID?, limit: Int) async throws(WorkError) -> [DueSchedule]
    /// Claims the period: its export, its job and the next time are written in one transaction, or none of them.
    func claim(_ due: DueSchedule, _ run: DueRun) async throws(WorkError) -> DueRunOutcome
    /// Notes that a run could not be made. It is tried again after `retrySeconds`; nil pauses the schedule, and queues the mail that
    /// tells its owner.
    func note(_ fault: ScheduleFault, of due: DueSchedule, retrySeconds: Double?) async throws(WorkError)
}
