import DiaryCrypto
import Foundation
import PostgresClient
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
            try await export("revoked_at = \(age), revoked_reason = 'owner'"),
            try await export("status = 'failed', created_at = \(age)"),
        ]
        let kept = [
            try await export("status = 'ready', expires_at = \(age)"),
            try await export("status = 'ready', created_at = \(age), expires_at = \(young)"),
            try await export("status = 'ready', created_at = \(age), expires_at = clock_timestamp() + interval '1 day'"),
            try await export("status = 'queued', created_at = \(age)"),
            try await export("revoked_at = \(young), revoked_reason = 'owner', created_at = \(age)"),
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

        _ = try await sweep.end(.exportRows, most: 100)
        #expect(try await fixture.database.int("select count(*) from exports") == 9, "without the setting all stay")

        var configured = TenantConfiguration()
        try configured.set("exports.retention_days", to: "30")
        try await fixture.database.change(
            "update tenants set configuration = $2::jsonb where id = $1", .uuid(person.owner.tenant.uuid), .text(configured.json))
        // A page of two leaves more for the next one.
        #expect(try await sweep.end(.exportRows, most: 2) == 2)
        #expect(try await fixture.database.int("select count(*) from exports") == 7)
        _ = try await sweep.end(.exportRows, most: 2)

        let left = try await fixture.exports.exports(before: nil, limit: 50, schedule: nil, status: nil, of: person.member).map(\.id)
        #expect(Set(left) == Set(kept) && Set(left).isDisjoint(with: gone))
        #expect(try await fixture.exports.export(theirs.id, of: other.member) != nil)
        #expect(try await fixture.database.int("select count(*) from audit_events") == events)
    }
}
