import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Zips that a schedule keeps", .timeLimit(.minutes(1)))
struct KeptZipTests {
    private static func make(keepLast: Int?) async throws -> ScheduledExports {
        let scene = try await ScheduledExports.make(covers: "all")
        try await scene.fixture.database.change("update export_schedules set keep_last = $1", .int4(keepLast.map { Int32($0) }))
        return scene
    }

    /// The schedule's next export, with a link of an hour.
    private func ready(_ scene: ScheduledExports, keepsDays days: Double?) async throws -> ExportID {
        let (job, export) = try await scene.begin()
        try await scene.finish(job, keptDays: days)
        return export.id
    }

    /// Hours until each one ends that is there, the oldest first.
    private func hours(_ scene: ScheduledExports) async throws -> [Int64] {
        try await scene.fixture.database.superuser.run([
            Statement(
                """
                select round(extract(epoch from expires_at - clock_timestamp()) / 3600)::bigint from exports where revoked_at is null
                order by created_at
                """)
        ])[0].map { row throws(DatabaseError) in try row.int(0) }
    }

    @Test("the last ones stay as long as the app lets them, and a newer one ends the oldest")
    func kept() async throws {
        let scene = try await Self.make(keepLast: 2)
        let first = try await ready(scene, keepsDays: 100)
        for _ in 0..<2 { _ = try await ready(scene, keepsDays: 100) }

        #expect(try await hours(scene) == [2_400, 2_400])
        let ended = try await scene.fixture.exports.export(first, of: scene.fixture.person.member)
        #expect(ended?.status == .revoked && ended?.revokedReason == .replaced)
    }

    @Test(
        "without keep_last, and without a setting of the app, a zip ends with its link",
        arguments: [(nil, 100), (2, nil)] as [(Int?, Double?)])
    func ends(keepLast: Int?, days: Double?) async throws {
        let scene = try await Self.make(keepLast: keepLast)

        _ = try await ready(scene, keepsDays: days)

        #expect(try await hours(scene) == [1])
        #expect(try await scene.fixture.database.int("select count(*) from exports where kept_seconds is not null") == 0)
    }

    @Test("a zip that may hold what was deleted while it was built ends with its link")
    func deleted() async throws {
        let scene = try await Self.make(keepLast: 2)
        let (fixture, person) = (scene.fixture, scene.fixture.person)
        let entry = person.text()
        _ = try await fixture.entries.create(entry, by: person.member)
        let (job, _) = try await scene.begin()
        let number = try await fixture.database.int("select change_number from user_sync")
        _ = try await fixture.entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member)

        try await scene.finish(job, upto: number, keptDays: 100)

        #expect(try await hours(scene) == [1])
    }

    @Test("when the schedule is deleted, or keeps none any more, its zips end a link's life later", arguments: [true, false])
    func released(isDeleted: Bool) async throws {
        let scene = try await Self.make(keepLast: 3)
        for _ in 0..<2 { _ = try await ready(scene, keepsDays: 100) }
        let (store, member) = (scene.schedules, scene.fixture.person.member)
        let schedule = try await scene.shown()
        var write = ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, nextAt: schedule.nextAt)
        write.terms.keepLast = 1
        let fewer = try #require(try await store.change(write, from: schedule, by: member))
        #expect(try await hours(scene) == [2_400, 2_400], "until a newer one is ready")

        if isDeleted {
            #expect(try await store.delete(schedule.id, by: member))
        } else {
            write.terms.keepLast = nil
            #expect(try await store.change(write, from: fewer, by: member) != nil)
        }

        #expect(try await hours(scene) == [1, 1])
    }

    @Test("a newer one ends neither an older one that becomes ready after it nor one whose mail is still to be sent")
    func waiting() async throws {
        let scene = try await Self.make(keepLast: 1)
        let database = scene.fixture.database
        func live() async throws -> Set<ExportID> {
            Set(
                try await database.superuser.run([Statement("select id from exports where revoked_at is null and status = 'ready'")])[0]
                    .map { row throws(DatabaseError) in ExportID(try row.uuid(0)) })
        }
        let (slow, older) = try await scene.begin()
        let newer = try await ready(scene, keepsDays: nil)
        try await database.change("update exports set mail_asked = true where id = $1", .uuid(newer.uuid))

        try await scene.finish(slow)
        #expect(try await live() == [older.id, newer])

        let latest = try await ready(scene, keepsDays: nil)
        #expect(try await live() == [newer, latest])
        try await database.change("update exports set mail_status = 'sent' where id = $1", .uuid(newer.uuid))
        let last = try await ready(scene, keepsDays: nil)
        #expect(try await live() == [last])
    }

    @Test("an account whose schedule keeps zips is erased")
    func erased() async throws {
        let scene = try await Self.make(keepLast: 3)
        _ = try await ready(scene, keepsDays: 100)

        try await scene.fixture.database.change("delete from users where id = $1", .uuid(scene.fixture.person.owner.user.uuid))

        #expect(try await scene.fixture.database.int("select count(*) from exports") == 0)
    }
}
