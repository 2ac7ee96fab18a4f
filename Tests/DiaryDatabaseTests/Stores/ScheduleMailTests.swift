import Foundation
import PostgresClient
import TestSupport
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

    @Test("the notice of a pause has its reason, and is not sent when the schedule is resumed or gone meanwhile", arguments: [true, false])
    func pauseNotice(isDeleted: Bool) async throws {
        let database = fixture.database
        try await database.change("update export_schedules set next_run_at = date_trunc('minute', clock_timestamp()), mail = false")
        let due = PostgresDueScheduleStore(pool: try database.pool(.worker))
        let seen = try #require(try await due.due(of: nil, limit: 1).first)
        try await due.note(.timeZoneUnknown, of: seen, retrySeconds: nil)

        let job = try await fixture.claim(.mail)
        let mail = try await fixture.mails.beginMail(job)

        #expect(mail.kind == .schedulePaused && mail.subject == schedule.id.uuid && mail.pause == .timeZoneUnknown)
        #expect(mail.addressSealed == Array("sealed".utf8) && mail.payload.isEmpty)
        if isDeleted {
            #expect(try await schedules.delete(schedule.id, by: fixture.person.member))
        } else {
            try await database.change("update export_schedules set paused_at = null, pause_reason = null, error_code = null")
        }
        #expect(await refusal { () throws(WorkError) in try await fixture.mails.beginMail(job) } == .ownerGone)
        #expect(try await database.int("select count(*) from mails") == 0)
        #expect(try await fixture.state(job)?.hasPrefix("done") == true)
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

    @Test("the mail of a run that is being made when they are ended is not sent either", arguments: [true, false])
    func madeMeanwhile(byLink: Bool) async throws {
        let due = PostgresDueScheduleStore(pool: try fixture.database.pool(.worker))
        try await fixture.database.change(
            "update export_schedules set next_run_at = date_trunc('minute', clock_timestamp()) where id = $1", .uuid(schedule.id.uuid))
        let seen = try #require(try await due.due(of: nil, limit: 9).first)
        let run = DueRun(
            export: ExportID(UUIDv7.make()), job: NewJob(.export), maxDownloads: 5,
            plan: SchedulePlan(nextRunAt: nil, days: CalendarDay.all, coveredTo: nil))
        // The claim has the schedule's row and stands at the insertion of its export.
        try await fixture.database.change(
            """
            create function gate() returns trigger language plpgsql as $$
            begin perform pg_advisory_xact_lock(17); return new; end $$
            """)
        try await fixture.database.change("create trigger exports_gate before insert on exports for each row execute function gate()")
        let holder = try await held("select pg_advisory_xact_lock(17)")
        defer { holder.close() }
        async let claimed = due.claim(seen, run)
        try await blocked(1)
        var write = ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, run: nil)
        write.terms.mail = false
        let ending = write
        async let ended: Void = byLink ? stop() : change(ending)
        try await blocked(2)
        _ = try await holder.run([Statement("commit")])

        #expect(try await claimed == .made)
        try await ended
        #expect(try await state(run.export) == .notAsked)
    }

    @Test("a run that its owner asks for while they are being ended waits, and has no mail")
    func askedMeanwhile() async throws {
        let holder = try await held("update export_schedules set mail = false")
        defer { holder.close() }
        let run = AskedRun(
            schedule: schedule.id, export: ExportID(UUIDv7.make()), job: NewJob(.export), maxDownloads: 5, days: CalendarDay.all)
        async let made = schedules.run(run, by: fixture.person.member)
        try await blocked(1)
        _ = try await holder.run([Statement("commit")])

        #expect(try await made?.mailStatus == .notAsked)
    }

    @Test("20 links and changes at once end them, and none is refused")
    func parallelEnds() async throws {
        var exports: [ExportID] = []
        for _ in 0..<3 { exports.append(try await waiting()) }
        let write = ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, run: nil)

        _ = try await parallel(20) { number in
            if number.isMultiple(of: 2) { return try await stop() }
            var write = write
            write.terms.mail = number % 4 == 1
            _ = try await schedules.change(write, expecting: Int64(number), by: fixture.person.member)
        }
        try await stop()

        for export in exports { #expect(try await state(export) == .notAsked) }
    }

    @Test("one that is refused after its owner asked for another does not speak for that one, which clears the reason when it is sent")
    func refusedLate() async throws {
        let export = try await waiting()
        let first = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(first)
        try await stop()
        #expect(try await fixture.exports.mail(fixture.person.again(export), by: fixture.person.member)?.isQueued == true)

        try await fixture.queue.discard(first, code: .unexpected)
        let between = try #require(try await fixture.exports.export(export, of: fixture.person.member))
        #expect(between.mailStatus == .waiting && between.code == nil)

        let second = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(second)
        // As a version of the service before left it.
        try await fixture.database.change(
            "update exports set mail_status = 'failed', code = 'unexpected' where id = $1", .uuid(export.uuid))
        try await fixture.finish(second)
        let after = try #require(try await fixture.exports.export(export, of: fixture.person.member))
        #expect(after.mailStatus == .sent && after.code == nil)
    }

    @Test("one that was sent after its owner asked for another leaves that one waiting, so that it can be ended")
    func sentLate() async throws {
        let export = try await waiting()
        let first = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(first)
        try await stop()
        _ = try await fixture.exports.mail(fixture.person.again(export), by: fixture.person.member)

        try await fixture.finish(first)

        #expect(try await state(export) == .waiting)
        let second = try await fixture.claim(.mail)
        _ = try await fixture.mails.beginMail(second)
        try await fixture.finish(second)
        #expect(try await state(export) == .sent)
    }

    private func change(_ write: ScheduleWrite) async throws {
        guard case .written = try await schedules.change(write, expecting: 1, by: fixture.person.member) else { throw NotWhatWasExpected() }
    }

    /// A session in which a statement was run, in a transaction that is open.
    private func held(_ sql: String) async throws -> DedicatedConnection {
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        _ = try await holder.run([Statement("begin"), Statement(sql)])
        return holder
    }

    /// Until so many sessions wait for a lock.
    private func blocked(_ count: Int) async throws {
        try await fixture.someone(
            isCountedBy: """
                select (count(distinct w.pid) >= \(count))::int from pg_stat_activity w
                where w.datname = current_database() and cardinality(pg_blocking_pids(w.pid)) > 0
                """)
    }
}
