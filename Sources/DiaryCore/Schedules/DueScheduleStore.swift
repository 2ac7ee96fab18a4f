package import FoundationEssentials

/// A schedule whose time has come, as it was seen.
package struct DueSchedule: Sendable {
    package var owner: Owner
    package var id: ExportScheduleID
    /// The app's.
    package var slug: String
    package var timing: ScheduleTiming
    /// The time that is due, which names the run.
    package var dueAt: Date
    /// The database's time.
    package var now: Date

    package init(owner: Owner, id: ExportScheduleID, slug: String, timing: ScheduleTiming, dueAt: Date, now: Date) {
        self.owner = owner
        self.id = id
        self.slug = slug
        self.timing = timing
        self.dueAt = dueAt
        self.now = now
    }
}

package enum DueRunOutcome: String, Sendable, CaseIterable {
    /// Its export and the job were committed, with the next time.
    case made
    /// Another runner has it, its owner changed it, or its account was closed.
    case taken
    /// Its account's schedules have made as many exports as they may in a day. The next one has what this one was to have.
    case skipped
    /// It stays due.
    case failed
}

/// Schedules whose time has come, of all accounts, by the database role `diary_worker`.
package protocol DueScheduleStore: Sendable {
    /// The longest due first, without those of accounts that are closed and apps that are suspended.
    /// - Parameters:
    ///   - tenant: nil for all apps.
    ///   - last: of the page before; nil for the first.
    func due(of tenant: TenantID?, after last: DueSchedule?, limit: Int) async throws(WorkError) -> [DueSchedule]
    /// Claims the run: its export, its job and the next time are written in one transaction, or none of them.
    func claim(_ due: DueSchedule, _ run: ScheduledRun, nextAt: Date) async throws(WorkError) -> DueRunOutcome
}
