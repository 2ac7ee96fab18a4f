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

        func write(_ terms: ScheduleTerms, tags: SealedTags? = nil) -> ScheduleWrite {
            ScheduleWrite(id: ExportScheduleID(UUIDv7.make()), terms: terms, tags: tags, nextAt: later)
        }

        func created(_ terms: ScheduleTerms) async throws -> ExportSchedule {
            try #require(try await store.create(write(terms), most: 10, claim: nil, by: person.member))
        }
    }

    private static let later = Date(timeIntervalSince1970: 4_000_000_000)

    @Test("a schedule is read as it was written, and of 20 requests at once an account gets as many as it may have")
    func create() async throws {
        let scene = try await Scene.make()
        var terms = ScheduleTerms.weekly(mail: true, covers: .all)
        terms.contents = ExportContents(includeAudio: false, formats: [.md, .srt], layer: .clean)
        terms.kind = .voice
        terms.keepLast = 3
        let made = try await scene.created(terms)

        let read = try #require(try await scene.store.schedule(made.id, of: scene.person.member))
        #expect(read == made && read.terms == terms && read.nextAt == Self.later && read.lastAt == nil && read.version == 1)
        terms.timing = ScheduleTiming(every: .year, weekday: nil, day: 31, month: 2, minute: 1_439, timeZone: "UTC")
        #expect(try await scene.created(terms).terms == terms)

        let same = terms
        let outcomes = try await parallel(20) { _ in
            try await scene.store.create(scene.write(same), most: 10, claim: nil, by: scene.person.member) != nil
        }
        #expect(outcomes.filter { $0 }.count == 8)
        #expect(try await scene.store.place(of: scene.person.member).schedules == 10)
        let first = try await scene.store.schedules(before: nil, limit: 6, of: scene.person.member)
        let position = try #require(first.last.map { ListPosition(at: $0.createdAt, id: $0.id.uuid) })
        let rest = try await scene.store.schedules(before: position, limit: 99, of: scene.person.member)
        #expect(Set((first + rest).map(\.id)).count == 10 && first.count == 6)
    }

    @Test("a change needs the version and the next time that were read, and pauses and resumes")
    func change() async throws {
        let scene = try await Scene.make()
        let (store, member) = (scene.store, scene.person.member)
        let made = try await scene.created(.weekly(mail: true))
        var write = ScheduleWrite(id: made.id, terms: made.terms, tags: nil, nextAt: made.nextAt)
        write.terms.keepLast = 2

        let changed = try #require(try await store.change(write, from: made, by: member))
        #expect(changed.version == 2 && changed.terms.keepLast == 2 && changed.nextAt == made.nextAt)
        #expect(try await store.change(write, from: made, by: member) == nil)
        // A run came between.
        try await scene.database.change(
            "update export_schedules set next_at = next_at + interval '1 day' where id = $1", .uuid(made.id.uuid))
        #expect(try await store.change(write, from: changed, by: member) == nil)
        let moved = try #require(try await store.schedule(made.id, of: member))

        write.nextAt = nil
        let paused = try #require(try await store.change(write, from: moved, by: member))
        #expect(paused.nextAt == nil && paused.version == 3)
        write.nextAt = Self.later
        #expect(try await store.change(write, from: paused, by: member)?.nextAt == Self.later)
        write.id = ExportScheduleID(UUID())
        #expect(try await store.change(write, from: made, by: member) == nil)
    }

    @Test("mails need a verified address (decision D11), and tags are written only under the account's present key")
    func refused() async throws {
        let scene = try await Scene.make(verified: false)
        let (store, member) = (scene.store, scene.person.member)
        let mailed = scene.write(.weekly(mail: true))
        #expect(try await store.create(mailed, most: 10, claim: nil, by: member) == nil)
        let made = try await scene.created(.weekly(mail: false))
        var write = mailed
        write.id = made.id
        #expect(try await store.change(write, from: made, by: member) == nil)
        #expect(try await store.place(of: member).addressIsProved == false)
        let vault = Vault(key: DataKey(id: UUID(), secret: SecretBytes([UInt8](repeating: 1, count: 32))), owner: scene.person.owner)
        let tags = try #require(try SealedTags(["work"], vault))
        let sealed = scene.write(.weekly(mail: false, tags: ["work"]), tags: tags)
        #expect(try await store.create(sealed, most: 10, claim: nil, by: member) == nil)
        let count = try await scene.database.int(
            "select count(*) from export_schedules where user_id = $1", .uuid(scene.person.owner.user.uuid))
        #expect(count == 1)
    }

    @Test("its owner's run makes an export with a job, a deleted schedule's exports stay, and its link ends its mails")
    func runs() async throws {
        let scene = try await Scene.make()
        let made = try await scene.created(.weekly(mail: true))
        let run = ScheduledRun(at: .now, Limits())
        let export = try #require(try await scene.store.run(made.id, run, claim: nil, requestID: "r", by: scene.person.member))
        #expect(export.schedule == made.id && export.period == nil && export.mailStatus == .waiting && export.status == .queued)
        #expect(try await scene.database.int("select count(*) from jobs where subject = $1", .uuid(export.id.uuid)) == 1)

        try await scene.store.stopMail(made.id, of: scene.person.owner, requestID: "r")
        try await scene.store.stopMail(made.id, of: scene.person.owner, requestID: "r")
        #expect(try await scene.store.schedule(made.id, of: scene.person.member)?.terms.mail == false)
        let exports = PostgresExportStore(pool: try scene.database.pool(.api))
        #expect(try await exports.export(export.id, of: scene.person.member)?.mailStatus == .notAsked)
        let events = try await scene.database.int(
            "select count(*) from audit_events where user_id = $1 and kind = 'schedule_mail_stopped'", .uuid(scene.person.owner.user.uuid))
        #expect(events == 1)

        #expect(try await scene.store.delete(made.id, by: scene.person.member))
        #expect(try await scene.store.delete(made.id, by: scene.person.member) == false)
        let left = try #require(try await exports.export(export.id, of: scene.person.member))
        #expect(left.schedule == nil && left.status == .queued)
        #expect(try await scene.store.run(made.id, run, claim: nil, requestID: "r", by: scene.person.member) == nil)
    }
}
