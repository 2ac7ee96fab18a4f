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
            id: ExportScheduleID(UUIDv7.make()), terms: .weekly(mail: true), tags: nil, nextAt: Date(timeIntervalSince1970: 4_000_000_000))
        schedule = try #require(try await schedules.create(write, most: 10, claim: nil, by: fixture.person.member))
    }

    /// An export of the schedule whose mail waits.
    private func waiting() async throws -> ExportID {
        let run = ScheduledRun(at: .now, Limits())
        _ = try await schedules.run(schedule.id, run, claim: nil, requestID: nil, by: fixture.person.member)
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
        var write = unchanged
        write.terms.keepLast = 3
        let kept = try #require(try await schedules.change(write, from: schedule, by: fixture.person.member))
        #expect(try await state(export) == .waiting)
        write.terms.mail = false

        #expect(try await schedules.change(write, from: schedule, by: fixture.person.member) == nil)
        #expect(try await state(export) == .waiting)
        #expect(try await schedules.change(write, from: kept, by: fixture.person.member) != nil)

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
            "update export_schedules set next_at = date_trunc('minute', clock_timestamp()) where id = $1", .uuid(schedule.id.uuid))
        let seen = try #require(try await due.due(of: nil, after: nil, limit: 9).first)
        let run = ScheduledRun(at: .now, Limits())
        // The claim has the schedule's row and stands at the insertion of its export.
        try await fixture.database.change(
            """
            create function gate() returns trigger language plpgsql as $$
            begin perform pg_advisory_xact_lock(17); return new; end $$
            """)
        try await fixture.database.change("create trigger exports_gate before insert on exports for each row execute function gate()")
        let holder = try await held("select pg_advisory_xact_lock(17)")
        defer { holder.close() }
        async let claimed = due.claim(seen, run, nextAt: Date(timeIntervalSince1970: 4_000_000_000))
        try await blocked(1)
        async let ended: Void = byLink ? stop() : endByChange()
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
        async let made = schedules.run(
            schedule.id, ScheduledRun(at: .now, Limits()), claim: nil, requestID: nil, by: fixture.person.member)
        try await blocked(1)
        _ = try await holder.run([Statement("commit")])

        #expect(try await made?.mailStatus == .notAsked)
    }

    @Test("20 links and changes at once end them, and none is refused")
    func parallelEnds() async throws {
        var exports: [ExportID] = []
        for _ in 0..<3 { exports.append(try await waiting()) }

        _ = try await parallel(20) { number in
            if number.isMultiple(of: 2) { return try await stop() }
            var (write, old) = (unchanged, schedule)
            write.terms.mail = number % 4 == 1
            old.version = Int64(number)
            _ = try await schedules.change(write, from: old, by: fixture.person.member)
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

    private var unchanged: ScheduleWrite {
        ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, nextAt: schedule.nextAt)
    }

    /// As of a schedule that a run is about to move on.
    private func endByChange() async throws {
        for _ in 0..<2 {
            guard let old = try await schedules.schedule(schedule.id, of: fixture.person.member) else { throw NotWhatWasExpected() }
            var write = unchanged
            (write.terms.mail, write.nextAt) = (false, old.nextAt)
            if try await schedules.change(write, from: old, by: fixture.person.member) != nil { return }
        }
        throw NotWhatWasExpected()
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
