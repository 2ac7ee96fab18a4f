import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Schedules of exports, as their owner has them", .timeLimit(.minutes(2)))
struct ScheduleStoreTests {
    private struct Scene {
        let database: MigratedDatabase
        let person: Person
        let store: PostgresExportScheduleStore

        static func make(verified: Bool = true) async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let person = try await Person.make(in: database, verified: verified)
            return Scene(database: database, person: person, store: PostgresExportScheduleStore(pool: try database.pool(.api)))
        }

        func write(_ terms: ScheduleTerms, tags: SealedTags? = nil, run: ScheduleWrite.NextRun? = .at(later)) -> ScheduleWrite {
            ScheduleWrite(id: ExportScheduleID(UUIDv7.make()), terms: terms, tags: tags, run: run)
        }

        func created(_ terms: ScheduleTerms, run: ScheduleWrite.NextRun? = .at(later)) async throws -> ExportSchedule {
            guard case .written(let schedule) = try await store.create(write(terms, run: run), most: 10, claim: nil, by: person.member)
            else {
                throw NotWhatWasExpected()
            }
            return schedule
        }
    }

    private static let later = Date(timeIntervalSince1970: 4_000_000_000)

    @Test("a schedule is read as it was written, and of 20 requests at once an account gets as many as it may have")
    func create() async throws {
        let scene = try await Scene.make()
        var terms = try ScheduleTerms.weekly(mail: true, covers: .changes)
        terms.contents = ExportContents(includeAudio: false, formats: [.md, .srt], layer: .clean)
        terms.kind = .voice
        terms.keepLast = 3
        let made = try await scene.created(terms)

        let read = try #require(try await scene.store.schedule(made.id, of: scene.person.member))
        #expect(read == made && read.terms == terms && read.status == .active && read.nextRunAt == Self.later && read.version == 1)

        let same = terms
        let outcomes = try await parallel(20) { _ in
            if case .written = try await scene.store.create(
                scene.write(same), most: 10, claim: nil, by: scene.person.member)
            {
                true
            } else {
                false
            }
        }
        #expect(outcomes.filter { $0 }.count == 9)
        let first = try await scene.store.schedules(before: nil, limit: 6, of: scene.person.member)
        let position = try #require(first.last.map { ListPosition(at: $0.createdAt, id: $0.id.uuid) })
        let rest = try await scene.store.schedules(before: position, limit: 99, of: scene.person.member)
        #expect(Set((first + rest).map(\.id)).count == 10 && first.count == 6)
    }

    @Test("a change needs the version that was read, keeps what it does not say, and pauses and resumes")
    func change() async throws {
        let scene = try await Scene.make()
        let made = try await scene.created(try .weekly(mail: true))
        var write = scene.write(made.terms, run: nil)
        write.id = made.id
        write.terms.keepLast = 2

        guard case .written(let changed) = try await scene.store.change(write, expecting: 1, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        #expect(changed.version == 2 && changed.terms.keepLast == 2 && changed.nextRunAt == made.nextRunAt)
        guard case .otherVersion = try await scene.store.change(write, expecting: 1, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        write.run = .paused
        guard case .written(let paused) = try await scene.store.change(write, expecting: 2, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        #expect(paused.status == .paused && paused.pauseReason == .owner && paused.nextRunAt == nil)
        write.run = .at(Self.later)
        guard case .written(let resumed) = try await scene.store.change(write, expecting: 3, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        #expect(resumed.status == .active && resumed.nextRunAt == Self.later)
        write.id = ExportScheduleID(UUID())
        guard case .gone = try await scene.store.change(write, expecting: 1, by: scene.person.member) else { throw NotWhatWasExpected() }
    }

    @Test("mails need a verified address (decision D11), and tags are written only under the account's present key")
    func refused() async throws {
        let scene = try await Scene.make(verified: false)
        let mailed = scene.write(try .weekly(mail: true))
        guard case .addressNotVerified = try await scene.store.create(mailed, most: 10, claim: nil, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        let made = try await scene.created(try .weekly(mail: false))
        var write = mailed
        write.id = made.id
        guard case .addressNotVerified = try await scene.store.change(write, expecting: 1, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        let vault = Vault(key: DataKey(id: UUID(), secret: SecretBytes([UInt8](repeating: 1, count: 32))), owner: scene.person.owner)
        let tags = try #require(try SealedTags(["work"], vault))
        let sealed = scene.write(try .weekly(mail: false, tags: ["work"]), tags: tags)
        guard case .gone = try await scene.store.create(sealed, most: 10, claim: nil, by: scene.person.member) else {
            throw NotWhatWasExpected()
        }
        let count = try await scene.database.int(
            "select count(*) from export_schedules where user_id = $1", .uuid(scene.person.owner.user.uuid))
        #expect(count == 1)
    }

    @Test("the days of a run that failed are to be covered by the next one, until a later one has covered them")
    func failedPeriods() async throws {
        let scene = try await Scene.make()
        let made = try await scene.created(try .weekly(mail: false, covers: .period))
        let named = scene.person.owner.parameters + [.uuid(made.id.uuid)]
        var number: Int64 = 0
        func covered() async throws -> CalendarDay? { try await scene.store.schedule(made.id, of: scene.person.member)?.coveredTo }
        func run(_ from: String, _ to: String, _ status: String) async throws {
            number += 1
            try await scene.database.change(
                """
                insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats, layer,
                    schedule_id, period, status)
                values ($1, $2, gen_random_uuid(), $4::text::date, $5::text::date, 'UTC', true, 5, '', '{txt}', 'shown', $3,
                    '2026-01-01'::timestamptz + $7 * interval '1 hour', $6)
                """, named[0], named[1], named[2], .text(from), .text(to), .text(status), .int(number))
            if to == "9999-12-31" { return }
            try await scene.database.change(
                "update export_schedules set covered_to = $2::text::date where id = $1", .uuid(made.id.uuid), .text(to))
        }

        #expect(try await covered() == nil)
        try await run("2026-03-02", "2026-03-08", "ready")
        #expect(try await covered() == day("2026-03-08"))
        try await run("2026-03-09", "2026-03-15", "failed")
        #expect(try await covered() == day("2026-03-08"))
        try await run("2026-03-09", "2026-03-22", "failed")
        #expect(try await covered() == day("2026-03-08"))
        try await run("2026-03-09", "2026-03-29", "ready")
        #expect(try await covered() == day("2026-03-29"))

        // Asked for before the day before them failed, so without it.
        try await run("2026-03-30", "2026-03-30", "failed")
        try await run("2026-03-31", "2026-03-31", "ready")
        try await run("2026-04-01", "2026-04-01", "ready")
        #expect(try await covered() == day("2026-03-29"))
        try await run("2026-03-30", "2026-04-04", "failed")
        #expect(try await covered() == day("2026-03-29"))
        // Covered by two together.
        try await run("2026-03-30", "2026-04-02", "ready")
        #expect(try await covered() == day("2026-04-02"))
        try await run("2026-04-03", "2026-04-05", "ready")
        #expect(try await covered() == day("2026-04-05"))
        // One of all days does not stand for a period that fails afterwards.
        try await run("0001-01-01", "9999-12-31", "ready")
        try await run("2026-04-06", "2026-04-06", "failed")
        #expect(try await covered() == day("2026-04-05"))
    }

    @Test("its owner's run makes an export with a job, a deleted schedule's exports stay, and its link ends its mails")
    func runs() async throws {
        let scene = try await Scene.make()
        let made = try await scene.created(try .weekly(mail: true))
        let run = AskedRun(
            schedule: made.id, export: ExportID(UUIDv7.make()), job: NewJob(.export), maxDownloads: 5, days: CalendarDay.all)
        let export = try #require(try await scene.store.run(run, by: scene.person.member))
        #expect(export.schedule == made.id && export.period == nil && export.mailStatus == .waiting && export.status == .queued)
        #expect(try await scene.database.int("select count(*) from jobs where subject = $1", .uuid(export.id.uuid)) == 1)
        #expect(try await scene.store.exports(of: made.id, limit: 10, scene.person.member)?.map(\.id) == [export.id])

        #expect(try await scene.store.sendsMail(made.id, of: scene.person.owner))
        try await scene.store.stopMail(made.id, of: scene.person.owner, requestID: "r")
        try await scene.store.stopMail(made.id, of: scene.person.owner, requestID: "r")
        #expect(try await scene.store.sendsMail(made.id, of: scene.person.owner) == false)
        let exports = PostgresExportStore(pool: try scene.database.pool(.api))
        #expect(try await exports.export(export.id, of: scene.person.member)?.mailStatus == .notAsked)
        let events = try await scene.database.int(
            "select count(*) from audit_events where user_id = $1 and kind = 'schedule_mail_stopped'", .uuid(scene.person.owner.user.uuid))
        #expect(events == 1)

        #expect(try await scene.store.delete(made.id, by: scene.person.member))
        #expect(try await scene.store.delete(made.id, by: scene.person.member) == false)
        let left = try #require(try await exports.export(export.id, of: scene.person.member))
        #expect(left.schedule == nil && left.status == .queued)
        #expect(try await scene.store.run(run, by: scene.person.member) == nil)
        #expect(try await scene.store.exports(of: made.id, limit: 10, scene.person.member) == nil)
    }
}
