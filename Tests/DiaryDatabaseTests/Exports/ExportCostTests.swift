import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Estimated work of exports", .timeLimit(.minutes(1)))
struct ExportCostTests {
    @Test("recordings that were removed cost an export nothing, an administrator's neither")
    func removed() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let (removed, kept) = (person.voice(), person.voice(size: 200_000_000))
        for entry in [removed, kept] { _ = try await fixture.entries.create(entry, by: person.member) }
        // As an import may have it of another service.
        try await fixture.database.change(
            "update entries set status = 'transcribed', size_bytes = $2, audio_removed_at = clock_timestamp() where id = $1",
            .uuid(removed.id.uuid), .int(Int64(1) << 53))
        let administration = PostgresExportAdministration(pool: try fixture.database.pool(.admin))

        _ = try await fixture.exports.create(try person.export(), by: person.member)
        let administered = AdministeredExport(
            id: ExportID(UUIDv7.make()), from: try day("2026-01-01"), to: try day("2026-12-31"), kind: nil, contents: ExportContents(),
            maxDownloads: 3, job: NewJob(.export))
        #expect(try await administration.create(administered, for: person.owner, by: "anna") == .created)

        // Two entries, and 200 MB at 20 MB a second.
        let costs = "select string_agg(round(cost::numeric, 3)::text, ' ') from jobs where kind = 'export'"
        #expect(try await fixture.database.text(costs) == "10.504 10.504")
    }
}
