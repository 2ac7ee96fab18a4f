import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Exports of schedules that ended before anyone had them", .timeLimit(.minutes(2)))
struct LostScheduledExportTests {
    @Test("changes of a lost one are in the next, also when another has continued it, and no others are repeated")
    func changes() async throws {
        let scene = try await ScheduledExports.make(covers: "changes")
        try await scene.ready(upto: 10)
        let lost = try await scene.ready(after: 10, upto: 20)
        try await scene.ready(after: 20, upto: 30)
        try await scene.lose(lost)

        #expect(try await scene.next(upto: 40) == 10)
        #expect(try await scene.next(upto: 50) == 40)

        // The one that had them is lost too; 20 to 30 and 40 to 50 are still held.
        try await scene.fixture.database.change("update exports set revoked_at = clock_timestamp() where changes_upto = 40")
        #expect(try await scene.next(upto: 60) == 10)
        #expect(try await scene.next(upto: 70) == 60)
    }

    @Test("after the only one was lost the next has everything")
    func first() async throws {
        let scene = try await ScheduledExports.make(covers: "changes")
        try await scene.lose(try await scene.ready(upto: 10))

        #expect(try await scene.next(upto: 20) == 0)
        #expect(try await scene.next(upto: 30) == 20)
    }

    @Test(
        "one that was downloaded, that had run out, or that its owner ended is not repeated",
        arguments: [
            "revoked_at = clock_timestamp(), downloads = 1",
            "expires_at = clock_timestamp() - interval '1 minute', revoked_at = clock_timestamp()", "",
        ])
    func had(change: String) async throws {
        let (changes, periods) = (try await ScheduledExports.make(covers: "changes"), try await ScheduledExports.make(covers: "period"))
        for (scene, from, to) in [(changes, "0001-01-01", "9999-12-31"), (periods, "2026-03-02", "2026-03-02")] {
            let id = try await scene.ready(from, to, upto: 10)
            if change.isEmpty {
                #expect(try await scene.fixture.exports.revoke(id, by: scene.fixture.person.member))
                #expect(try await scene.fixture.exports.revoke(id, by: scene.fixture.person.member))
            } else {
                try await scene.fixture.database.change("update exports set \(change) where id = $1", .uuid(id.uuid))
            }
        }

        #expect(try await changes.next(upto: 20) == 10)
        #expect(try await periods.covered() == day("2026-03-02"))
    }

    @Test("the days of a lost one are to be covered again, until another has them")
    func periods() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        try await scene.ready("2026-03-01", "2026-03-01", upto: 1)
        let lost = try await scene.ready("2026-03-02", "2026-03-02", upto: 2)
        try await scene.ready("2026-03-03", "2026-03-03", upto: 3)
        #expect(try await scene.covered() == day("2026-03-03"))

        try await scene.lose(lost)
        #expect(try await scene.covered() == day("2026-03-01"))

        try await scene.ready("2026-03-02", "2026-03-04", upto: 4)
        #expect(try await scene.covered() == day("2026-03-04"))
    }

    @Test("what a newer one ended by keep_last is not covered again")
    func kept() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        try await scene.fixture.database.change("update export_schedules set keep_last = 1")
        let older = try await scene.ready("2026-03-01", "2026-03-01", upto: 1)
        try await scene.ready("2026-03-02", "2026-03-02", upto: 2)

        let ended = try await scene.fixture.database.text(
            "select revoked_by from exports where id = $1 and revoked_at is not null", .uuid(older.uuid))
        #expect(ended == "newer")
        #expect(try await scene.covered() == day("2026-03-02"))
    }

    @Test("one whose mail could not be sent is covered again, unless its owner had it, ended it or takes no mail")
    func mail() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        func unsent(_ change: String) async throws -> CalendarDay? {
            let id = try await scene.ready("2026-03-02", "2026-03-02", upto: 2)
            try await scene.fixture.database.change(
                """
                update exports set mail_asked = true, mail_status = 'failed', code = 'mail_unavailable', expires_at = clock_timestamp(),
                    created_at = created_at - interval '1 day'
                where id = $1
                """, .uuid(id.uuid))
            try await scene.fixture.database.change("update exports set \(change) where id = $1", .uuid(id.uuid))
            let covered = try await scene.covered()
            try await scene.fixture.database.change("delete from exports where id = $1", .uuid(id.uuid))
            return covered
        }
        try await scene.ready("2026-03-01", "2026-03-01", upto: 1)

        for change in ["revoked_by = null", "revoked_at = clock_timestamp(), revoked_by = 'newer'"] {
            #expect(try await unsent(change) == day("2026-03-01"), "\(change)")
        }
        for change in [
            "downloads = 1", "revoked_at = clock_timestamp(), revoked_by = 'owner'", "code = 'address_suppressed'", "mail_status = 'sent'",
            "mail_asked = false",
        ] { #expect(try await unsent(change) == day("2026-03-02"), "\(change)") }
    }

    @Test("keep_last ends neither an older one that becomes ready late nor one whose mail is still to be sent")
    func keptWaiting() async throws {
        let scene = try await ScheduledExports.make(covers: "period")
        let database = scene.fixture.database
        try await database.change("update export_schedules set keep_last = 1")
        let older = try await scene.ready(
            "2026-03-01", "2026-03-01", upto: 1, change: "created_at = clock_timestamp() - interval '2 hours'")
        let newer = try await scene.ready(
            "2026-03-02", "2026-03-02", upto: 2,
            change: "created_at = clock_timestamp() - interval '1 hour', mail_asked = true, status = 'ready'")
        func live() async throws -> Set<ExportID> {
            Set(
                try await database.superuser.run([Statement("select id from exports where revoked_at is null and status = 'ready'")])[0]
                    .map { row throws(DatabaseError) in ExportID(try row.uuid(0)) })
        }

        try await database.change("update exports set status = 'ready' where id = $1", .uuid(older.uuid))
        #expect(try await live() == [older, newer])

        let latest = try await scene.ready("2026-03-03", "2026-03-03", upto: 3)
        #expect(try await live() == [newer, latest])
        try await database.change("update exports set mail_status = 'sent' where id = $1", .uuid(newer.uuid))
        let last = try await scene.ready("2026-03-04", "2026-03-04", upto: 4)
        #expect(try await live() == [last])
    }

    @Test("the row of a lost one stays until its changes are in another, with the one before it")
    func rows() async throws {
        let scene = try await ScheduledExports.make(covers: "changes")
        let database = scene.fixture.database
        let old = "status = 'ready', created_at = clock_timestamp() - interval '9 days', expires_at = clock_timestamp() - interval '8 days'"
        try await scene.ready(upto: 10, change: old)
        try await scene.ready(after: 10, upto: 20, change: old + ", revoked_at = clock_timestamp() - interval '9 days'")
        try await scene.ready(after: 20, upto: 30, change: old)
        try await database.change(
            "update tenants set configuration = '{\"exports.retention_days\": 7}' where id = $1", scene.fixture.person.owner.parameters[0])
        let sweep = PostgresSweepStore(pool: try database.pool(.worker))
        func left() async throws -> String? {
            try await database.text("select string_agg(changes_upto::text, ' ' order by changes_upto) from exports")
        }

        _ = try await sweep.end(.exportRows, most: 10)
        #expect(try await left() == "10 20 30")

        #expect(try await scene.next(upto: 40) == 10)
        for _ in 0..<2 { _ = try await sweep.end(.exportRows, most: 10) }
        #expect(try await left() == "40")
    }
}
