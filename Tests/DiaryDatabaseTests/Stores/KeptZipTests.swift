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
        try await scene.run()
        let job = try await scene.fixture.claim(.export)
        try await scene.fixture.begin(job)
        let kept = days.map { KeptZip(until: Date(timeIntervalSinceNow: $0 * 86_400), releasedSeconds: 3_600) }
        _ = try await scene.fixture.builds.finishExport(
            job, keyID: scene.fixture.person.keyID, size: 1, entryCount: 1, lateCount: 0, changesUpto: 1,
            expiresAt: Date(timeIntervalSinceNow: 3_600), kept: kept, mail: scene.fixture.person.mail(.exportReady, subject: job.subject))
        return ExportID(job.subject)
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
        #expect(try await scene.fixture.exports.export(first, of: scene.fixture.person.member)?.status == .revoked)
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
        try await scene.run()
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        let number = try await fixture.database.int("select change_number from user_sync")
        _ = try await fixture.entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member)

        _ = try await fixture.builds.finishExport(
            job, keyID: person.keyID, size: 1, entryCount: 1, lateCount: 0, changesUpto: number,
            expiresAt: Date(timeIntervalSinceNow: 3_600),
            kept: KeptZip(until: Date(timeIntervalSinceNow: 8_640_000), releasedSeconds: 3_600),
            mail: person.mail(.exportReady, subject: job.subject))

        #expect(try await hours(scene) == [1])
    }

    @Test("when the schedule is deleted, or keeps none any more, its zips end a link's life later", arguments: [true, false])
    func released(isDeleted: Bool) async throws {
        let scene = try await Self.make(keepLast: 3)
        for _ in 0..<2 { _ = try await ready(scene, keepsDays: 100) }
        let store = PostgresExportScheduleStore(pool: try scene.fixture.database.pool(.api))
        let member = scene.fixture.person.member
        let schedule = try #require(try await store.schedule(scene.schedule, of: member))
        var write = ScheduleWrite(id: schedule.id, terms: schedule.terms, tags: nil, run: nil)
        write.terms.keepLast = 1
        guard case .written = try await store.change(write, expecting: 1, by: member) else { throw NotWhatWasExpected() }
        #expect(try await hours(scene) == [2_400, 2_400], "until a newer one is ready")

        if isDeleted {
            #expect(try await store.delete(schedule.id, by: member))
        } else {
            write.terms.keepLast = nil
            guard case .written = try await store.change(write, expecting: 2, by: member) else { throw NotWhatWasExpected() }
        }

        #expect(try await hours(scene) == [1, 1])
    }

    @Test("an account whose schedule keeps zips is erased")
    func erased() async throws {
        let scene = try await Self.make(keepLast: 3)
        _ = try await ready(scene, keepsDays: 100)

        try await scene.fixture.database.change("delete from users where id = $1", .uuid(scene.fixture.person.owner.user.uuid))

        #expect(try await scene.fixture.database.int("select count(*) from exports") == 0)
    }
}
