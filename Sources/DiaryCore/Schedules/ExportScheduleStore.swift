package import FoundationEssentials

/// What a new schedule takes from its account, and the database's time, by which schedules run.
package struct SchedulePlace: Sendable {
    package var timeZone: String
    package var addressIsProved: Bool
    package var now: Date
}

/// A schedule as it is to be stored.
package struct ScheduleWrite: Sendable {
    package var id: ExportScheduleID
    package var terms: ScheduleTerms
    package var tags: SealedTags?
    /// nil: it is paused.
    package var nextAt: Date?
}

package enum ScheduleWriteOutcome: Sendable {
    case written(ExportSchedule)
    /// It has another version, or another next time, than was read.
    case otherVersion
    case gone
    /// The account has as many as it may have.
    case tooMany
    /// A mail was asked for, and no address of the account is verified (decision D11).
    case addressNotVerified
}

/// An export that a schedule makes because its owner asks for it.
package struct AskedRun: Sendable {
    package var schedule: ExportScheduleID
    package var export: ExportID
    package var job: NewJob
    package var maxDownloads: Int
    /// For the event.
    package var requestID: String?
}

/// Schedules of exports, by the database role `diary_api`.
package protocol ExportScheduleStore: Sendable {
    func place(of member: Member) async throws(DiaryError) -> SchedulePlace
    func create(_ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member) async throws(DiaryError) -> ScheduleWriteOutcome
    func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule?
    /// Newest first.
    func schedules(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [ExportSchedule]
    func change(_ schedule: ScheduleWrite, from old: ExportSchedule, by member: Member) async throws(DiaryError) -> ScheduleWriteOutcome
    /// Its exports stay. False when there is no such schedule.
    func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool
    /// An export of the schedule with its job, whether it is paused or not.
    /// - Parameter claim: stored unless the request is refused.
    /// - Returns: nil when there is no such schedule.
    func run(_ run: AskedRun, claim: KeyClaim?, by member: Member) async throws(DiaryError) -> Export?
    /// Its exports, newest first; nil when there is no such schedule.
    func exports(of id: ExportScheduleID, limit: Int, _ member: Member) async throws(DiaryError) -> [Export]?

    // The holder of a link has no session: the link, whose signature has been checked, names owner and schedule.
    /// Whether it is there and sends mails.
    func sendsMail(_ id: ExportScheduleID, of owner: Owner) async throws(DiaryError) -> Bool
    /// Ends its mails. Nothing happens when there is no such schedule.
    func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError)
}
