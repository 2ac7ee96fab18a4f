import FoundationEssentials

@testable package import DiaryCore

extension StubStore: ExportScheduleStore {
    package func place(of member: Member) async throws(DiaryError) -> SchedulePlace {
        SchedulePlace(timeZone: "Europe/Berlin", addressIsProved: true, schedules: 0, now: Stub.clock.now())
    }
    package func create(
        _ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? { Stub.schedule(schedule) }
    package func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule? {
        id == Stub.schedule.id ? Stub.schedule : nil
    }
    package func schedules(
        before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [ExportSchedule] { [Stub.schedule] }
    package func change(
        _ schedule: ScheduleWrite, from old: ExportSchedule, by member: Member
    ) async throws(DiaryError) -> ExportSchedule? { Stub.schedule(schedule) }
    package func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool { id == Stub.schedule.id }
    package func run(
        _ id: ExportScheduleID, _ run: ScheduledRun, claim: KeyClaim?, requestID: String?, by member: Member
    ) async throws(DiaryError) -> Export? { id == Stub.schedule.id ? Stub.export : nil }
    package func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError) {}
}

extension Stub {
    /// Every Tuesday at 6:00 in Berlin.
    package static let schedule = schedule(
        ScheduleWrite(
            id: ExportScheduleID(UUIDv7.make(at: clock.now())),
            terms: ScheduleTerms(
                timing: ScheduleTiming(every: .week, weekday: .tuesday, day: nil, month: nil, minute: 360, timeZone: "Europe/Berlin"),
                covers: .changes, contents: ExportContents(), kind: nil, tags: [], keepLast: nil, mail: true),
            tags: nil, nextAt: clock.now().addingTimeInterval(3_600)))

    /// What is written, as it is read again.
    static func schedule(_ write: ScheduleWrite) -> ExportSchedule {
        var schedule = ExportSchedule(
            id: write.id, terms: write.terms, sealedTags: write.tags?.sealed, version: 1, createdAt: clock.now(), updatedAt: clock.now(),
            nextAt: write.nextAt, lastAt: nil)
        schedule.terms.tags = []
        return schedule
    }
}
