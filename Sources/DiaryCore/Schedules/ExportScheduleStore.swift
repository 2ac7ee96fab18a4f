package import FoundationEssentials

/// What a new schedule takes from its account, and the database's time, by which schedules run.
package struct SchedulePlace: Sendable {
    package var timeZone: String
    package var addressIsProved: Bool
    /// How many it has.
    package var schedules: Int
    package var now: Date

    package init(timeZone: String, addressIsProved: Bool, schedules: Int, now: Date) {
        self.timeZone = timeZone
        self.addressIsProved = addressIsProved
        self.schedules = schedules
        self.now = now
    }
}

/// A schedule as it is to be stored.
package struct ScheduleWrite: Sendable {
    package var id: ExportScheduleID
    package var terms: ScheduleTerms
    package var tags: SealedTags?
    /// nil: it is paused.
    package var nextAt: Date?
}

/// The export of a run.
package struct ScheduledRun: Sendable {
    package var export: ExportID
    package var job: NewJob
    package var maxDownloads: Int

    init(at now: Date, _ limits: Limits) {
        export = ExportID(UUIDv7.make(at: now))
        job = NewJob(.export, id: JobID(UUIDv7.make(at: now)))
        maxDownloads = limits.exportDownloads
    }
}

/// Schedules of exports, by the database role `diary_api`.
package protocol ExportScheduleStore: Sendable {
    func place(of member: Member) async throws(DiaryError) -> SchedulePlace
    /// - Returns: nil when the account has as many as it may have, no verified address for its mails (decision D11), or another key.
    func create(_ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member) async throws(DiaryError) -> ExportSchedule?
    func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule?
    /// Newest first.
    func schedules(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [ExportSchedule]
    /// - Returns: nil when it has another version or next time than was read, is gone, or as for `create`.
    func change(_ schedule: ScheduleWrite, from old: ExportSchedule, by member: Member) async throws(DiaryError) -> ExportSchedule?
    /// Its exports stay. False when there is no such schedule.
    func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool
    /// An export of the schedule with its job, whether it is paused or not.
    /// - Parameters:
    ///   - claim: stored unless the request is refused.
    ///   - requestID: for the event.
    /// - Returns: nil when there is no such schedule.
    func run(
        _ id: ExportScheduleID, _ run: ScheduledRun, claim: KeyClaim?, requestID: String?, by member: Member
    ) async throws(DiaryError) -> Export?
    /// Ends its mails. Nothing happens when there is no such schedule. The holder of a link has no session: the link, whose signature has been
    /// checked, names owner and schedule.
    func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError)
}
