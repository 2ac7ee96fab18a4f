import DiaryCrypto
import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Retention of exports", .timeLimit(.minutes(2)))
struct ExportRetentionTests {
    @Test("an ended export leaves the list so many days after its end as its app says, once its zip is deleted; its event stays")
    func rows() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
        func export(_ change: String) async throws -> ExportID {
            let form = try person.export(request: SecureRandom.bytes(8))
            _ = try await fixture.exports.create(form, by: person.member)
            try await fixture.database.change("update exports set \(change) where id = $1", .uuid(form.id.uuid))
            return form.id
        }
        let age = "clock_timestamp() - interval '31 days'"
        let young = "clock_timestamp() - interval '29 days'"
        let gone = [
            try await export("status = 'ready', expires_at = \(age)"),
            try await export("revoked_at = \(age)"),
            try await export("status = 'failed', created_at = \(age)"),
        ]
        let kept = [
            try await export("status = 'ready', expires_at = \(age)"),
            try await export("status = 'ready', created_at = \(age), expires_at = \(young)"),
            try await export("status = 'ready', created_at = \(age), expires_at = clock_timestamp() + interval '1 day'"),
            try await export("status = 'queued', created_at = \(age)"),
            try await export("revoked_at = \(young), created_at = \(age)"),
        ]
        // Its zip is not deleted.
        try await fixture.database.change(
            """
            insert into export_parts (tenant_id, user_id, export_id, number, entry_count, object_id, size_bytes)
            select tenant_id, user_id, id, 1, 1, gen_random_uuid(), 1 from exports where id = $1
            """, .uuid(kept[0].uuid))
        let other = try await Person.make(in: fixture.database)
        let theirs = try other.export()
        _ = try await fixture.exports.create(theirs, by: other.member)
        try await fixture.database.change(
            "update exports set status = 'ready', expires_at = \(age) where id = $1", .uuid(theirs.id.uuid))
        let events = try await fixture.database.int("select count(*) from audit_events")

        _ = try await sweep.sweepBookkeeping(most: 100)
        #expect(try await fixture.database.int("select count(*) from exports") == 9, "without the setting all stay")

        var configured = TenantConfiguration()
        try configured.set("exports.retention_days", to: "30")
        try await fixture.database.change(
            "update tenants set configuration = $2::jsonb where id = $1", .uuid(person.owner.tenant.uuid), .text(configured.json))
        // A page of two leaves more for the next one.
        #expect(try await sweep.sweepBookkeeping(most: 2))
        #expect(try await fixture.database.int("select count(*) from exports") == 7)
        _ = try await sweep.sweepBookkeeping(most: 2)

        let left = try await fixture.exports.exports(before: nil, limit: 50, of: person.member).map(\.id)
        #expect(Set(left) == Set(kept) && Set(left).isDisjoint(with: gone))
        #expect(try await fixture.exports.export(theirs.id, of: other.member) != nil)
        #expect(try await fixture.database.int("select count(*) from audit_events") == events)
    }

    @Test("the newest export of a schedule stays, because the next one of changes begins where it ended")
    func continued() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let schedule = UUID()
        try await fixture.database.change(
            """
            insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats, layer, mail)
            values ($1, $2, $3, 'FREQ=WEEKLY;BYDAY=MO', '2026-01-01', 6, 0, 'Europe/Berlin', 'changes', true, '{txt}', 'shown', true)
            """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .uuid(schedule))
        var exports: [ExportID] = []
        for number in 1...3 {
            let form = try person.export(request: SecureRandom.bytes(8))
            _ = try await fixture.exports.create(form, by: person.member)
            try await fixture.database.change(
                """
                update exports set status = 'ready', changes_upto = $2, expires_at = clock_timestamp() - interval '9 days',
                    revoked_at = clock_timestamp() - interval '9 days', downloads = 1, schedule_id = $3, period = clock_timestamp() - $2 * interval '7 days'
                where id = $1
                """, .uuid(form.id.uuid), .int(Int64(number) % 3), .uuid(schedule))
            exports.append(form.id)
        }
        try await fixture.database.change(
            "update tenants set configuration = '{\"exports.retention_days\": 7}' where id = $1", .uuid(person.owner.tenant.uuid))
        let sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))

        _ = try await sweep.sweepBookkeeping(most: 10)
        #expect(try await fixture.exports.exports(before: nil, limit: 9, of: person.member).map(\.id) == [exports[1]])

        try await fixture.database.change("delete from export_schedules where id = $1", .uuid(schedule))
        _ = try await sweep.sweepBookkeeping(most: 10)
        #expect(try await fixture.exports.exports(before: nil, limit: 9, of: person.member).isEmpty)
    }

    @Test("a failed export of a schedule stays until its days are in another, and that one as long as it")
    func failedPeriods() async throws {
        let fixture = try await WorkerFixture.make()
        let (database, owner) = (fixture.database, fixture.person.owner)
        let schedule = UUID()
        try await database.change(
            """
            insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats, layer,
                mail, covered_to)
            values ($1, $2, $3, 'FREQ=DAILY', '2026-01-01', 6, 0, 'Europe/Berlin', 'period', true, '{txt}', 'shown', true, '2026-03-09')
            """, owner.parameters[0], owner.parameters[1], .uuid(schedule))
        func export(_ from: String, _ to: String, _ status: String, at time: String) async throws {
            try await database.change(
                """
                insert into exports (tenant_id, user_id, id, from_day, to_day, time_zone, include_audio, max_downloads, request_hash, formats, layer,
                    schedule_id, period, status, created_at, changes_upto)
                values ($1, $2, gen_random_uuid(), $4::text::date, $5::text::date, 'UTC', true, 5, '', '{txt}', 'shown', $3, $7::text::timestamptz, $6,
                    clock_timestamp() - interval '9 days', case when $6 = 'ready' then extract(day from $7::text::timestamptz) end)
                """, owner.parameters[0], owner.parameters[1], .uuid(schedule), .text(from), .text(to), .text(status), .text(time))
        }
        try await export("2026-03-01", "2026-03-01", "ready", at: "2026-03-02 06:00Z")
        try await export("2026-03-02", "2026-03-02", "failed", at: "2026-03-03 06:00Z")
        try await export("2026-03-03", "2026-03-03", "failed", at: "2026-03-04 06:00Z")
        try await export("2026-03-03", "2026-03-09", "ready", at: "2026-03-10 06:00Z")
        try await database.change("update tenants set configuration = '{\"exports.retention_days\": 7}' where id = $1", owner.parameters[0])
        let sweep = PostgresSweepStore(pool: try database.pool(.worker))
        func left() async throws -> String? {
            try await database.text(
                "select string_agg(to_char(from_day, 'DD') || ' ' || status, ', ' order by period) from exports where schedule_id = $1",
                .uuid(schedule))
        }

        _ = try await sweep.sweepBookkeeping(most: 10)
        #expect(try await left() == "02 failed, 03 ready")
        let stores = PostgresExportScheduleStore(pool: try database.pool(.api))
        let read = try await stores.schedule(ExportScheduleID(schedule), of: fixture.person.member)
        #expect(try read?.coveredTo == day("2026-03-01"))

        // The failed one is locked, so it stays for another round, and with it the one that has its days.
        try await export("2026-03-02", "2026-03-10", "ready", at: "2026-03-11 06:00Z")
        try await export("2026-03-11", "2026-03-11", "ready", at: "2026-03-12 06:00Z")
        let holder = try DedicatedConnection(database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([
            Statement("begin"), Statement("select from exports where schedule_id = $1 and status = 'failed' for update", [.uuid(schedule)]),
        ])
        _ = try await sweep.sweepBookkeeping(most: 10)
        _ = try await holder.run([Statement("rollback")])
        #expect(try await left() == "02 failed, 02 ready, 11 ready")
        _ = try await sweep.sweepBookkeeping(most: 10)
        _ = try await sweep.sweepBookkeeping(most: 10)
        #expect(try await left() == "11 ready")
    }
}
