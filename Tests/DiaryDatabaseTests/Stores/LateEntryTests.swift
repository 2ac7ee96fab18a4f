import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Late entries in exports of periods", .timeLimit(.minutes(1)))
struct LateEntryTests {
    /// Noon of a day before today, in UTC.
    private static func noon(daysAgo days: Double, _ now: Date) -> Date {
        Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 + 43_200 - days * 86_400)
    }

    private static func date(daysAgo days: Double, _ now: Date) -> String {
        noon(daysAgo: days, now).formatted(.iso8601.year().month().day())
    }

    @Test("an entry that came after the export of its day was made is in the next one; one that was changed alone is not, and none twice")
    func late() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        let (fixture, person, now) = (scene.fixture, scene.fixture.person, Date.now)
        func entry(daysAgo days: Double) async throws -> EntryID {
            let entry = person.text(at: Self.noon(daysAgo: days, now), zone: "UTC", request: [UInt8(days)])
            _ = try await fixture.entries.create(entry, by: person.member)
            return entry.id
        }
        // Of the days before the first export, and of those of the first.
        let old = [try await entry(daysAgo: 20), try await entry(daysAgo: 8)]
        try await fixture.database.change("update entries set created_at = clock_timestamp() - interval '8 days'")
        let number = try await fixture.database.int("select change_number from user_sync")
        let first = try await scene.ready(Self.date(daysAgo: 10, now), Self.date(daysAgo: 4, now), upto: number)
        try await fixture.database.change(
            "update exports set created_at = clock_timestamp() - interval '4 days' where id = $1", .uuid(first.uuid))
        // Changed afterwards, though they were there.
        try await fixture.database.change("update entries set change_number = change_number + $1", .int(number))
        try await fixture.database.change("update user_sync set change_number = 2 * change_number")
        let came = [try await entry(daysAgo: 15), try await entry(daysAgo: 5), try await entry(daysAgo: 3)]

        try await scene.run()

        let job = try await fixture.claim(.export)
        let (export, _) = try await fixture.builds.beginExport(job)
        #expect(export.selection.late?.changedAfter == number)
        let reading = try await SnapshotReading.of(export.selection, fixture.builds, person.owner)
        #expect(reading.entries == came && Set(came).isDisjoint(with: old))
        #expect(try await fixture.database.text("select round(cost::numeric, 3)::text from jobs where kind = 'export'") == "0.506")

        // The next one has none of them.
        _ = try await fixture.builds.finishExport(
            job, keyID: person.keyID, size: 1, entryCount: came.count, lateCount: 2,
            changesUpto: try await fixture.database.int("select change_number from user_sync"),
            expiresAt: now.addingTimeInterval(3_600), kept: nil, mail: person.mail(.exportReady, subject: job.subject))
        try await scene.run()
        let (next, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        #expect(try await SnapshotReading.of(next.selection, fixture.builds, person.owner).entries.isEmpty)
    }

    /// - Parameters:
    ///   - before: makes an entry of the time of `Person.voice`, which then counts as made long before the export of its day.
    ///   - after: what happens to it after that export.
    private func isInNext(
        before: (WorkerFixture) async throws -> Void, after: (WorkerFixture) async throws -> Void
    ) async throws -> Bool {
        let scene = try await ScheduledExports.make(covers: "period")
        let fixture = scene.fixture
        try await before(fixture)
        try await fixture.database.change("update entries set created_at = clock_timestamp() - interval '8 days', late_at = null")
        let first = try await scene.ready(
            "2026-05-01", "2026-06-01", upto: try await fixture.database.int("select change_number from user_sync"))
        try await fixture.database.change(
            "update exports set created_at = clock_timestamp() - interval '2 days' where id = $1", .uuid(first.uuid))
        try await after(fixture)
        try await scene.run()
        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        return try await !SnapshotReading.of(export.selection, fixture.builds, fixture.person.owner).entries.isEmpty
    }

    @Test("a recording whose check ended after the export of its day is in the next one, before it is heard; one of an import is not")
    func arrived() async throws {
        let verified = { (fixture: WorkerFixture) in _ = try await fixture.finish(try await fixture.claim(.verify)) }

        #expect(try await isInNext(before: { try await $0.ready(.verify) }, after: verified))
        #expect(
            try await !isInNext(
                before: { fixture in
                    try await fixture.ready(.verify)
                    try await fixture.database.change("update entries set request_hash = $1", .bytes([UInt8](repeating: 1, count: 16)))
                }, after: verified))
    }

    @Test("one whose words came after it is in the next one; one that is being heard, or is heard again, is not")
    func heard() async throws {
        #expect(try await !isInNext(before: { try await $0.ready(.transcribe) }) { try await $0.begin(try await $0.claim(.transcribe)) })
        #expect(
            try await isInNext(before: { try await $0.ready(.transcribe) }) { fixture in
                try await fixture.finish(try await fixture.claim(.transcribe))
                try await fixture.finishStages(after: .transcribe, version: WorkerFixture.version(after: .transcribe))
            })
        #expect(
            try await !isInNext(before: { _ = try await $0.transcribed() }) { fixture in
                for change in ["status = 'cleaning', stage = 'clean', rerun_from = 'clean'", "status = 'transcribed', rerun_from = null"] {
                    try await fixture.database.change("update user_sync set change_number = change_number + 1")
                    try await fixture.database.change(
                        "update entries set \(change), change_number = (select change_number from user_sync)")
                }
            })
    }

    @Test("one that was moved after the export to a day of it from a day that was to come is in the next one", arguments: [4, 1])
    func moved(days: Int) async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        let (fixture, person, now) = (scene.fixture, scene.fixture.person, Date.now)
        let entry = person.text(at: Self.noon(daysAgo: 5, now), zone: "UTC")
        _ = try await fixture.entries.create(entry, by: person.member)
        try await fixture.database.change("update entries set recorded_local = recorded_local + $1 * interval '1 day'", .int(Int64(days)))
        try await fixture.database.change("update entries set created_at = clock_timestamp() - interval '8 days', late_at = null")
        let number = try await fixture.database.int("select change_number from user_sync")
        let first = try await scene.ready(Self.date(daysAgo: 10, now), Self.date(daysAgo: 3, now), upto: number)
        try await fixture.database.change(
            "update exports set created_at = clock_timestamp() - interval '2 days' where id = $1", .uuid(first.uuid))
        try await fixture.database.change("update user_sync set change_number = change_number + 1")
        try await fixture.database.change(
            "update entries set recorded_local = recorded_local - $1 * interval '1 day', change_number = change_number + 1",
            .int(Int64(days)))

        try await scene.run()

        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        let reading = try await SnapshotReading.of(export.selection, fixture.builds, person.owner)
        #expect(reading.entries == (days == 4 ? [entry.id] : []))
    }

    @Test("an entry that the end of the day moves to the last day that was exported is in the next export")
    func endOfDay() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        let (fixture, person, now) = (scene.fixture, scene.fixture.person, Date.now)
        let night = { days in Self.noon(daysAgo: days, now).addingTimeInterval(-11 * 3_600) }
        let entries = [person.text(at: night(4), zone: "UTC", request: [1]), person.text(at: night(2), zone: "UTC", request: [2])]
        for entry in entries { _ = try await fixture.entries.create(entry, by: person.member) }
        try await fixture.database.change("update entries set created_at = clock_timestamp() - interval '8 days'")
        let number = try await fixture.database.int("select change_number from user_sync")
        let first = try await scene.ready(Self.date(daysAgo: 10, now), Self.date(daysAgo: 3, now), upto: number)
        try await fixture.database.change(
            "update exports set created_at = clock_timestamp() - interval '1 day' where id = $1", .uuid(first.uuid))

        try await fixture.database.change("update users set day_ends_minute = 120")
        try await scene.run()

        let (export, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        let reading = try await SnapshotReading.of(export.selection, fixture.builds, person.owner)
        #expect(reading.entries == [entries[1].id])
    }

    @Test("late entries of a lost export are in the next one, also when another has been made since")
    func lost() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        try await scene.ready("2026-03-01", "2026-03-01", upto: 10)
        let lost = try await scene.ready("2026-03-02", "2026-03-02", upto: 20, late: 10)
        try await scene.ready("2026-03-03", "2026-03-03", upto: 30, late: 20)
        #expect(try await scene.next(upto: 40) == 30)
        try await scene.lose(lost)

        #expect(try await scene.next(upto: 50) == 10)
        #expect(try await scene.next(upto: 60) == 50)
    }

    @Test("late entries are counted from the export of the latest days, also when one of earlier days became ready after it")
    func order() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        try await scene.ready("2026-03-02", "2026-03-02", upto: 100)
        try await scene.ready("2026-03-01", "2026-03-01", upto: 200)

        #expect(try await scene.next(upto: 300) == 100)
    }

    @Test(
        "the first export of a schedule has none, and neither has one of changes or of everything", arguments: ["period", "changes", "all"])
    func none(covers: String) async throws {
        let scene = try await ScheduledExports.make(covers: covers)
        if covers != "period" { try await scene.ready("2026-03-01", "2026-03-01", upto: 10) }

        try await scene.run()

        #expect(try await scene.fixture.database.int("select count(*) from exports where late_after is not null") == 0)
    }
}
