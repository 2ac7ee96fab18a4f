import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Mails of schedules that their owner ends", .timeLimit(.minutes(1)))
struct ScheduleMailTests {
    let fixture: WorkerFixture
    let schedules: PostgresExportScheduleStore
    /// Sends mails.
    let schedule: ExportSchedule

    init() async throws {
        fixture = try await WorkerFixture.make()
        schedules = PostgresExportScheduleStore(pool: try fixture.database.pool(.api))
        let write = ScheduleWrite(
            id: ExportScheduleID(UUIDv7.make()), terms: try .weekly(mail: true), tags: nil,
            run: .at(Date(timeIntervalSince1970: 4_000_000_000)))
        guard case .written(let made) = try await schedules.create(write, most: 10, claim: nil, by: fixture.person.member) else {
            throw NotWhatWasExpected()
        }
        schedule = made
    }

    /// An export of the schedule whose mail waits.
    private func waiting() async throws -> ExportID {
        let run = AskedRun(
            schedule: schedule.id, export: ExportID(UUIDv7.make()), job: NewJob(.export), maxDownloads: 5, days: CalendarDay.all)
        _ = try await schedules.run(run, by: fixture.person.member)
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        #expect(try await fixture.finish(job) == .mail)
        return run.export
    }

    private func state(_ id: ExportID) async throws -> ExportMailStatus? {
        try await fixture.exports.export(id, of: fixture.person.member)?.mailStatus
    }

    private func stop() async throws { try await schedules.stopMail(schedule.id, of: fixture.person.owner, requestID: nil) }

    private func left() async throws -> Int64 {
        try await fixture.database.int("select count(*) from mails where kind = 'export_ready' and status = 'waiting'")
    }

    @Test("one that waits when the link is used is not sent, its export says that it has none, and its job ends")
    func link() async throws {
        let export = try await waiting()
        #expect(try await state(export) == .waiting)

        try await stop()

        #expect(try await state(export) == .notAsked)
        let job = try await fixture.claim(.mail)
        #expect(await refusal { () throws(WorkError) in try await fixture.mails.beginMail(job) } == .ownerGone)
        #expect(try await left() == 0)
        #expect(try await fixture.state(job)?.hasPrefix("done") == true)
    }

    @Test("the same when its owner changes the schedule; another change of it ends no mail")
    func change() async throws {
        let export = try await waiting()
        var write = ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, run: nil)
        write.terms.keepLast = 3
        _ = try await schedules.change(write, expecting: 1, by: fixture.person.member)
        #expect(try await state(export) == .waiting)
        write.terms.mail = false

        guard case .otherVersion = try await schedules.change(write, expecting: 1, by: fixture.person.member) else {
            throw NotWhatWasExpected()
        }
        #expect(try await state(export) == .waiting)
        guard case .written = try await schedules.change(write, expecting: 2, by: fixture.person.member) else { throw NotWhatWasExpected() }

        #expect(try await state(export) == .notAsked)
        let job = try await fixture.claim(.mail)
        #expect(await refusal { () throws(WorkError) in try await fixture.mails.beginMail(job) } == .ownerGone)
    }

    @Test("a mail that its owner asks for afterwards is sent, once")
    func askedFor() async throws {
        let export = try await waiting()
        try await stop()
        #expect(try await fixture.exports.mail(fixture.person.again(export), by: fixture.person.member)?.isQueued == true)

        var sent = 0
        for _ in 0..<2 {
            let job = try await fixture.claim(.mail)
            do throws(WorkError) { _ = try await fixture.mails.beginMail(job) } catch { continue }
            try await fixture.finish(job)
            sent += 1
        }

        #expect(sent == 1)
        #expect(try await state(export) == .sent)
        #expect(try await left() == 0)
    }

    @Test("one that was on its way is shown as sent")
    func onItsWay() async throws {
        let export = try await waiting()
        let job = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(job)

        try await stop()
        try await fixture.finish(job)

        #expect(try await state(export) == .sent)
    }
}
