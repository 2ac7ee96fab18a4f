package import FoundationEssentials

/// An export that is made again and again.
package struct ExportSchedule: Sendable, Equatable {
    package enum PauseReason: String, Sendable, CaseIterable {
        case owner
        /// Its last exports have all failed, or its runs could not be made.
        case failures
    }

    package enum Status: String, Sendable, CaseIterable {
        case active, paused
        /// Its rule has no time to come.
        case ended
    }

    package var id: ExportScheduleID
    package var terms: ScheduleTerms
    /// The tags of its terms, until `opened(by:)` has opened them; nil without any.
    package var sealedTags: [UInt8]?
    package var version: Int64
    package var createdAt: Date
    package var updatedAt: Date
    package var nextRunAt: Date?
    package var lastRunAt: Date?
    /// The last day that a run has covered, where it covers periods. Before the days of a run that failed, until a later one covers them.
    package var coveredTo: CalendarDay?
    package var pauseReason: PauseReason?
    /// Runs that could not be made, one after the other.
    package var failures: Int
    package var error: ScheduleFault?
    package var errorAt: Date?

    package var status: Status { pauseReason != nil ? .paused : nextRunAt == nil ? .ended : .active }

    /// With its tags opened.
    func opened(by vault: Vault) throws(DiaryError) -> ExportSchedule {
        guard let sealedTags else { return self }
        var schedule = self
        schedule.terms.tags = try vault.open([String].self, sealedTags, as: .exportTags, row: vault.owner.user.uuid)
        schedule.sealedTags = nil
        return schedule
    }

    /// Only a schedule with tags needs the account's key. Tags that cannot be read stay sealed, so that a damaged row does not make the
    /// list unreadable.
    func opened(for member: Member, _ keys: DataKeys) async throws(DiaryError) -> ExportSchedule {
        guard sealedTags != nil else { return self }
        let vault = try await keys.vault(of: member)
        return (try? opened(by: vault)) ?? self
    }
}

/// Why a run could not be made. Stored and on the wire; raw values never change.
package enum ScheduleFault: String, Sendable, CaseIterable {
    /// The zone database has its zone no more.
    case timeZoneUnknown = "time_zone_unknown"
    /// Its last exports have all failed.
    case exportsFailed = "exports_failed"
    /// The database refused the export.
    case notMade = "not_made"
    /// The account's schedules have made as many exports as they may in a day.
    case tooManyExports = "too_many_exports"
}

package enum ExportSchedules {}
package typealias ExportScheduleID = ID<ExportSchedules>
