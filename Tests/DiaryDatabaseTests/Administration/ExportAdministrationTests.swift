import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Administration of exports", .timeLimit(.minutes(1)))
struct ExportAdministrationTests {
    private static func export(kind: EntryKind? = nil) throws -> AdministeredExport {
        AdministeredExport(
            id: ExportID(UUIDv7.make()), from: try day("2026-01-01"), to: try day("2026-12-31"), kind: kind,
            contents: ExportContents(includeAudio: false, formats: [.md], layer: .raw), maxDownloads: 3, job: NewJob(.export))
    }

    @Test("an administrator's export is queued as its user's own, mailed to the verified address, and recorded twice (decision D11)")
    func created() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let exports = PostgresExportAdministration(pool: try fixture.database.pool(.admin))
        _ = try await fixture.entries.create(person.text(at: Date(timeIntervalSince1970: 1_772_366_400)), by: person.member)
        let export = try Self.export(kind: .text)

        #expect(try await exports.create(export, for: person.owner, by: "anna") == .created)

        let job = try await fixture.claim(.export)
        let (built, _) = try await fixture.builds.beginExport(job)
        #expect(built.id == export.id && built.contents == export.contents && built.selection.kind == .text && built.maxDownloads == 3)
        #expect(built.mailStatus == .waiting && job.subject == export.id.uuid)
        #expect(
            try await fixture.database.text("select kind || ' ' || actor || ' ' || coalesce(session_id::text, 'none') from audit_events")
                == "export_requested admin none")
        #expect(try await fixture.database.text("select act || ' ' || operator from tenant_acts") == "export_requested anna")
        let overview = try #require(try await exports.exports(export.id, of: person.owner, limit: 9).first)
        #expect(overview.status == .building && overview.contents == export.contents && !overview.hasTags && overview.entryCount == nil)
        #expect(try await exports.exports(ExportID(UUID()), of: person.owner, limit: 9).isEmpty)
    }

    @Test("none is made for an account that is not there, is closed, or has no verified address, and nothing is recorded")
    func refused() async throws {
        let fixture = try await WorkerFixture.make()
        let exports = PostgresExportAdministration(pool: try fixture.database.pool(.admin))
        let unproved = try await Person.make(in: fixture.database, verified: false)
        let closed = try await Person.make(in: fixture.database)
        try await fixture.database.change(
            "update users set disabled_at = clock_timestamp() where id = $1", .uuid(closed.owner.user.uuid))
        let elsewhere = Owner(tenant: unproved.owner.tenant, user: fixture.person.owner.user)

        #expect(try await exports.create(try Self.export(), for: elsewhere, by: "anna") == nil)
        #expect(try await exports.create(try Self.export(), for: unproved.owner, by: "anna") == .addressNotVerified)
        #expect(try await exports.create(try Self.export(), for: closed.owner, by: "anna") == .closed)

        for table in ["exports", "jobs", "audit_events", "tenant_acts"] {
            #expect(try await fixture.database.int("select count(*) from \(table)") == 0, "\(table)")
        }
    }
}
