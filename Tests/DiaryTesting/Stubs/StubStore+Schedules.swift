package import FoundationEssentials
import WireFormats

@testable package import DiaryCore

extension StubStore: ExportScheduleStore {
    package func place(of member: Member) async throws(DiaryError) -> SchedulePlace {
        SchedulePlace(timeZone: "Europe/Berlin", dayEndsMinute: 0, addressIsProved: true, now: Stub.clock.now())
    }
    package func create(
        _ schedule: ScheduleWrite, most: Int, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ScheduleWriteOutcome { .written(Stub.schedule(schedule)) }
    package func schedule(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule? {
        id == Stub.schedule.id ? Stub.schedule : nil
    }
    package func schedules(
        before position: ListPosition?, limit: Int, of member: Member
    ) async throws(DiaryError) -> [ExportSchedule] { [Stub.schedule] }
    package func change(
        _ schedule: ScheduleWrite, expecting version: Int64, by member: Member
    ) async throws(DiaryError) -> ScheduleWriteOutcome { .written(Stub.schedule(schedule)) }
    package func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) -> Bool { id == Stub.schedule.id }
    package func run(_ run: AskedRun, by member: Member) async throws(DiaryError) -> Export? { Stub.export }
    package func exports(of id: ExportScheduleID, limit: Int, _ member: Member) async throws(DiaryError) -> [Export]? {
        id == Stub.schedule.id ? [Stub.export] : nil
    }
    package func sendsMail(_ id: ExportScheduleID, of owner: Owner) async throws(DiaryError) -> Bool { id == Stub.schedule.id }
    package func stopMail(_ id: ExportScheduleID, of owner: Owner, requestID: String?) async throws(DiaryError) {}
}

extension Stub {
    /// Every Tuesday at 6:00 in Berlin.
    package static let schedule = schedule(
        ScheduleWrite(
            id: ExportScheduleID(UUIDv7.make(at: clock.now())),
            terms: ScheduleTerms(
                timing: ScheduleTiming(
                    rule: RecurrenceRule(.weekly, weekdays: [.init(2)]), startsOn: CalendarDay.all.lowerBound, hour: 6, minute: 0,
                    timeZone: "Europe/Berlin"), covers: .all, contents: ExportContents(), kind: nil, tags: [], keepLast: nil, mail: true),
            tags: nil, run: .at(clock.now().addingTimeInterval(3_600))))

    /// What is written, as it is read again.
    static func schedule(_ write: ScheduleWrite) -> ExportSchedule {
        var (next, pause): (Date?, ExportSchedule.PauseReason?) = (nil, nil)
        switch write.run {
        case .at(let date): next = date
        case .paused: pause = .owner
        case .ended: break
        case nil: next = clock.now().addingTimeInterval(3_600)
        }
        var schedule = ExportSchedule(
            id: write.id, terms: write.terms, sealedTags: write.tags?.sealed, version: 1, createdAt: clock.now(), updatedAt: clock.now(),
            nextRunAt: next, lastRunAt: nil, coveredTo: nil, pauseReason: pause, failures: 0, error: nil, errorAt: nil)
        schedule.terms.tags = []
        return schedule
    }
}
