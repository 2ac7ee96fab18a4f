import Foundation
import PostgresClient
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Earlier texts", .timeLimit(.minutes(2)))
struct RevisionStoreTests {
    /// Replaces the edited text of version `version`, as one that was sealed before is kept.
    private func edit(_ fixture: EntryFixture, _ version: Int64) async throws -> WriteOutcome {
        var rewrite = PersonalRewrite(
            id: fixture.id, sealed: SealedColumn(bytes: [UInt8(version)], version: version + 1), expecting: version)
        rewrite.replaced = SealedRevision(layer: .edited, number: version, sealed: [UInt8(version), 1])
        return try await fixture.store.rewritePersonal(rewrite, keyID: fixture.keyID, by: fixture.member)
    }

    private func numbers(_ fixture: EntryFixture, _ layer: TextLayer = .edited) async throws -> [Int64]? {
        try await fixture.store.revisions(of: fixture.id, layer, before: nil, limit: 200, of: fixture.member)?.revisions
            .map(\.sealed.version)
    }

    @Test("each write keeps the text that it replaces, the newest twenty stay, and pages hold each once")
    func kept() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }
        #expect(try await numbers(fixture) == [])

        for version in Int64(1)...25 { #expect(try await edit(fixture, version).name == "written") }

        #expect(try await numbers(fixture) == Array((6...25).reversed()))
        #expect(try await numbers(fixture, .raw) == [])
        var (seen, before): ([StoredRevision], Int64?) = ([], nil)
        while true {
            let page = try #require(
                try await fixture.store.revisions(of: fixture.id, .edited, before: before, limit: 7, of: fixture.member))
            seen += page.revisions
            guard page.more else { break }
            #expect(page.revisions.count == 7)
            before = page.revisions.last?.sealed.version
        }
        #expect(seen.map(\.sealed.version) == Array((6...25).reversed()))
        #expect(seen.allSatisfy { $0.sealed.bytes == [UInt8($0.sealed.version), 1] })
    }

    @Test("a write that is refused keeps nothing, and of parallel ones the winner's is the only one")
    func refused() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }
        #expect(try await edit(fixture, 7).name == "conflict")
        #expect(try await numbers(fixture) == [])

        let outcomes = try await parallel(20) { _ in try await edit(fixture, 1).name }

        #expect(outcomes.count { $0 == "written" } == 1)
        #expect(try await numbers(fixture) == [1])
    }

    @Test("a page ends at about 2 MiB and has at least one")
    func bounded() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }
        try await fixture.database.change(
            """
            insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id)
            select $1, $2, $3, 'edited', n, decode(repeat('00', 1500000), 'hex'), $4 from generate_series(1, 3) n
            """, .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid), .uuid(fixture.id.uuid),
            .uuid(fixture.keyID))

        let page = try await fixture.store.revisions(of: fixture.id, .edited, before: nil, limit: 3, of: fixture.member)
        let last = try await fixture.store.revisions(of: fixture.id, .edited, before: 2, limit: 3, of: fixture.member)

        #expect(page?.revisions.map(\.sealed.version) == [3, 2] && page?.more == true)
        #expect(last?.revisions.map(\.sealed.version) == [1] && last?.more == false)
    }

    @Test("earlier texts and corrections are deleted with their entry")
    func deleted() async throws {
        let fixture = try await recorded()
        #expect(try await correct(fixture, 1, segments: 4).name == "written")
        _ = try await edit(fixture, 2)

        _ = try await fixture.store.delete(fixture.id, expecting: nil, keyID: fixture.keyID, by: fixture.member)

        #expect(try await numbers(fixture) == nil)
        for table in ["entry_revisions", "segment_corrections", "entry_segments"] {
            #expect(
                try await fixture.database.int("select count(*) from \(table) where entry_id = $1", .uuid(fixture.id.uuid)) == 0,
                "\(table)")
        }
    }

    // MARK: Corrections

    /// A recording with segments of version 4.
    private func recorded() async throws -> EntryFixture {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'transcribed', machine = 'm', machine_version = 4 where id = $1", .uuid(fixture.id.uuid))
        try await fixture.database.change(
            "insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) values ($1, $2, $3, 's', 4, $4)",
            .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid), .uuid(fixture.id.uuid), .uuid(fixture.keyID))
        return fixture
    }

    private func correct(_ fixture: EntryFixture, _ version: Int64, segments: Int64, machine: Int64 = 4) async throws -> WriteOutcome {
        var rewrite = PersonalRewrite(
            id: fixture.id, sealed: SealedColumn(bytes: [UInt8(version)], version: version + 1), expecting: version)
        rewrite.corrections = CorrectionsWrite(sealed: [UInt8(version), 9], segmentsVersion: segments, machineVersion: machine)
        return try await fixture.store.rewritePersonal(rewrite, keyID: fixture.keyID, by: fixture.member)
    }

    @Test("corrections are written for the segments that were read, and for no others")
    func corrections() async throws {
        let fixture = try await recorded()

        #expect(try await correct(fixture, 1, segments: 3).name == "conflict")
        #expect(try await correct(fixture, 1, segments: 4, machine: 3).name == "conflict", "another text has been cleaned meanwhile")
        #expect(try await fixture.store.transcript(fixture.id, timed: true, of: fixture.member)?.corrections == nil)
        for version in Int64(1)...2 { #expect(try await correct(fixture, version, segments: 4).name == "written") }

        let read = try await fixture.store.transcript(fixture.id, timed: true, of: fixture.member)
        #expect(read?.corrections == StoredCorrections(sealed: SealedColumn(bytes: [2, 9], version: 3), segmentsVersion: 4))
        #expect(read?.entry.version == 3)
        #expect(try await fixture.store.transcript(fixture.id, timed: false, of: fixture.member)?.corrections == nil)
    }

    @Test("corrections are not written when other segments are committed while they wait for the account's lock")
    func correctedMeanwhile() async throws {
        let fixture = try await recorded()
        let worker = try await fixture.database.holding(
            Statement(
                "select 1 from user_sync where tenant_id = $1 and user_id = $2 for update",
                [.uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid)]))
        defer { worker.close() }
        _ = try await worker.run([Statement("update entry_segments set version = 5 where entry_id = $1", [.uuid(fixture.id.uuid)])])

        async let outcome = correct(fixture, 1, segments: 4)
        try await fixture.database.untilBlocked(by: worker)
        _ = try await worker.run([Statement("commit")])

        #expect(try await outcome.name == "conflict")
        #expect(try await fixture.database.int("select count(*) from segment_corrections where entry_id = $1", .uuid(fixture.id.uuid)) == 0)
    }
}
