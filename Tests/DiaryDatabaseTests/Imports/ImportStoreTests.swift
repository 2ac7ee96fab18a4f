import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Imports in Postgres")
struct ImportStoreTests {
    private func entry(_ id: EntryID = EntryID(UUIDv7.make()), heard: Bool = false, object: UUID? = UUID()) -> ImportedEntry {
        var entry = ImportedEntry(
            id: id, recordedAt: Date(timeIntervalSince1970: 1_780_000_000), createdAt: Date(timeIntervalSince1970: 1_700_000_000),
            facts: GivenFacts(kind: .voice, timeZone: "Asia/Kathmandu", sizeBytes: 100, contentType: "audio/mp4", sha256: [9, 9]),
            object: object, personal: SealedColumn(bytes: [1], version: 4))
        if heard { entry.machine = SealedColumn(bytes: [2], version: 3) }
        entry.segments = SealedColumn(bytes: [3], version: 2)
        entry.revisions = [(SealedRevision(layer: .edited, number: 2, sealed: [4]), Date(timeIntervalSince1970: 1_700_000_001))]
        entry.job = object == nil ? nil : NewJob(.verify)
        return entry
    }

    private func step(_ fixture: WorkerFixture, from: Int64, _ entries: [ImportedEntry], limit: Int64? = nil) -> ImportStep {
        var step = ImportStep(from: from, done: from + 1, keyID: fixture.person.keyID, storageLimit: limit)
        step.entries = entries
        step.items = [
            StoredImportItem(item: ImportItem(number: (from + 1) * 100, outcome: .skipped, code: .attachmentNotSupported), name: [7])
        ]
        return step
    }

    private func running() async throws -> (WorkerFixture, LeasedJob, ImportID) {
        let fixture = try await WorkerFixture.make()
        let id = ImportID(try await fixture.ready(.importing))
        let job = try await fixture.claim(.importing)
        try await fixture.begin(job)
        return (fixture, job, id)
    }

    @Test("an element is written once, with its entries, the counts and the report, also when it is sent again")
    func once() async throws {
        let (fixture, job, id) = try await running()
        try await fixture.importRuns.noteContents(job, source: .diary, total: 2)
        let made = entry(heard: true)
        let first = step(fixture, from: 0, [made])

        try await fixture.importRuns.write(first, job)
        try await fixture.importRuns.write(first, job)

        let found = try #require(try await fixture.imports.find(id, of: fixture.person.member))
        #expect(found.done == 1 && found.total == 2 && found.counts == ImportCounts(created: 1) && found.percent == 50)
        #expect(try await fixture.imports.items(of: id, after: 0, limit: 9, fixture.person.member)?.map(\.item.number) == [100])
        let stored = try #require(try await fixture.entries.entry(made.id, of: fixture.person.member))
        #expect(stored.version == 4 && stored.machine?.version == 3 && stored.facts.timeZone == "Asia/Kathmandu")
        #expect(stored.facts.status == .uploaded && stored.facts.createdAt == made.createdAt)
        #expect(try await fixture.living(.verify, made.id.uuid) == 1)
        #expect(try await fixture.database.int("select count(*) from entry_revisions where entry_id = $1", .uuid(made.id.uuid)) == 1)
    }

    @Test("a recording that came with its text is finished by its check, one without is recognised")
    func checked() async throws {
        let (fixture, job, _) = try await running()
        let (heard, unheard) = (entry(heard: true), entry())
        try await fixture.importRuns.write(step(fixture, from: 0, [heard, unheard]), job)

        for _ in 0..<2 {
            let check = try await fixture.claim(.verify)
            try await fixture.begin(check)
            let finished = try await fixture.transcriptions.finishVerify(
                check, facts: WorkerFixture.facts, size: 100, sha256: [9, 9],
                rendition: NewRendition(copy: nil, waveform: fixture.words(1)))
            #expect(finished == FinishedStage(isWritten: true, next: check.subject == heard.id.uuid ? nil : .transcribe))
        }

        let member = fixture.person.member
        #expect(try await fixture.entries.entry(heard.id, of: member)?.facts.status == .transcribed)
        #expect(try await fixture.entries.entry(unheard.id, of: member)?.facts.status == .uploaded)
        #expect(try await fixture.living(.transcribe, heard.id.uuid) == 0)
        #expect(try await fixture.living(.transcribe, unheard.id.uuid) == 1)
    }

    @Test("the check of a recording whose entry was deleted meanwhile says so, and whether it is in the trash", arguments: [false, true])
    func deletedMeanwhile(intoTrash: Bool) async throws {
        let (fixture, job, _) = try await running()
        let made = entry(heard: true)
        try await fixture.importRuns.write(step(fixture, from: 0, [made]), job)
        let check = try await fixture.claim(.verify)
        try await fixture.begin(check)
        _ = try await fixture.database.change(
            intoTrash
                ? "update entries set deleted_at = now(), trash_ends_at = now() + interval '9 days' where id = $1"
                : "update entries set deleted_at = now(), personal = null, machine = null where id = $1",
            .uuid(made.id.uuid))

        let finished = try await fixture.transcriptions.finishVerify(
            check, facts: WorkerFixture.facts, size: 100, sha256: [9], rendition: NewRendition(copy: nil, waveform: fixture.words(1)))
        #expect(finished == FinishedStage(isWritten: false, isGone: !intoTrash, next: nil))
    }

    @Test("an entry of the account stays as it is, and nothing passes the storage limit")
    func limits() async throws {
        let (fixture, job, id) = try await running()
        let own = fixture.person.text()
        _ = try await fixture.entries.create(own, by: fixture.person.member)
        try await fixture.importRuns.write(step(fixture, from: 0, [entry(own.id)]), job)
        #expect(try await fixture.entries.entry(own.id, of: fixture.person.member)?.facts.kind == .text)
        #expect(try await fixture.living(.verify, own.id.uuid) == 0)

        let refused = step(fixture, from: 1, [entry(), entry()], limit: 150)
        let error = await #expect(throws: WorkError.self) { try await fixture.importRuns.write(refused, job) }
        guard case .unavailable(let cause)? = error else { throw NotWhatWasExpected() }
        #expect(cause.code == .storageExceeded)
        let found = try #require(try await fixture.imports.find(id, of: fixture.person.member))
        #expect(found.counts == ImportCounts(unchanged: 1) && found.done == 1)
    }

    @Test("lines of a report are written as they are, up to the most that one has")
    func lines() async throws {
        let (fixture, job, id) = try await running()
        var first = ImportStep(from: 0, done: 1, keyID: fixture.person.keyID, storageLimit: nil)
        let items = [
            ImportItem(number: 100, outcome: .failed, code: .fileMissing, entry: EntryID(UUID()), count: 7),
            ImportItem(number: 101, outcome: .skipped, code: .unknownFiles),
        ]
        first.items = [StoredImportItem(item: items[0], name: [7, 8]), StoredImportItem(item: items[1], name: nil)]
        try await fixture.importRuns.write(first, job)
        let written = try #require(try await fixture.imports.items(of: id, after: 0, limit: 9, fixture.person.member))
        #expect(written.map(\.item) == items && written.map(\.name) == [[7, 8], nil])

        _ = try await fixture.database.change(
            """
            insert into import_items (tenant_id, user_id, import_id, number, outcome, code, key_id)
            select tenant_id, user_id, import_id, 1000 + n, outcome, code, key_id
            from import_items, generate_series(1, $1::bigint) n where number = 100
            """, .int(ImportItem.most - 3))
        var second = ImportStep(from: 1, done: 2, keyID: fixture.person.keyID, storageLimit: nil)
        second.items = (0..<3).map {
            StoredImportItem(item: ImportItem(number: Int64(200 + $0), outcome: .skipped, code: .noContent), name: nil)
        }
        try await fixture.importRuns.write(second, job)

        #expect(try await fixture.database.int("select count(*) from import_items") == Int64(ImportItem.most))
        #expect(try await fixture.database.int("select max(number) from import_items where number < 1000") == 200)
        #expect(try await fixture.importRuns.beginImport(job).reported == ImportItem.most)
    }

    @Test("a zone that the database does not know is the account's own")
    func zones() async throws {
        let (fixture, job, _) = try await running()
        let zones = ["Mars/Olympus", "+02:00", "EST5EDT", "posixrules", "Europe/Berlin"]
        var entries: [ImportedEntry] = []
        for zone in zones {
            var made = entry()
            made.facts.timeZone = zone
            entries.append(made)
        }
        try await fixture.importRuns.write(step(fixture, from: 0, entries), job)
        var stored: [String] = []
        for made in entries { stored.append(try await fixture.entries.entry(made.id, of: fixture.person.member)?.facts.timeZone ?? "") }
        #expect(stored == ["Europe/Berlin", "Europe/Berlin", "EST5EDT", "Europe/Berlin", "Europe/Berlin"])
    }

    @Test("what the account has is known by id and by digest, what it has deleted and what waits in the trash too")
    func known() async throws {
        let (fixture, job, _) = try await running()
        let (live, gone, trashed) = (entry(), entry(), entry())
        try await fixture.importRuns.write(step(fixture, from: 0, [live, gone, trashed]), job)
        _ = try await fixture.database.change(
            "update entries set deleted_at = now(), personal = null where id = $1", .uuid(gone.id.uuid))
        _ = try await fixture.database.change(
            "update entries set deleted_at = now(), trash_ends_at = now() + interval '1 day' where id = $1", .uuid(trashed.id.uuid))
        let ids = [live.id, gone.id, trashed.id, EntryID(UUID())]

        let known = try await fixture.importRuns.known(
            ids, recordings: [[9, 9], [8]], before: Date(timeIntervalSinceNow: 60), of: fixture.person.owner)
        #expect(known.ids == [live.id: .there, gone.id: .deleted, trashed.id: .inTrash] && known.recordings == [[9, 9]: live.id])
        #expect(known.storedBytes == 200, "what waits in the trash takes space")
        let before = try await fixture.importRuns.known(
            ids, recordings: [[9, 9]], before: Date(timeIntervalSinceNow: -60), of: fixture.person.owner)
        #expect(before.recordings.isEmpty, "an entry of this import is no reason to leave another one out")
    }

    @Test("an import that is deleted while it runs is written no more")
    func deleted() async throws {
        let (fixture, job, id) = try await running()
        #expect(try await fixture.imports.delete(id, by: fixture.person.member)?.object != nil)
        let made = entry()
        await #expect(throws: WorkError.ownerGone) { try await fixture.importRuns.write(step(fixture, from: 0, [made]), job) }
        #expect(try await fixture.entries.entry(made.id, of: fixture.person.member) == nil)
    }

    @Test(
        "uploads that never come end with their window; zips of ended imports are told to the sweeper until they are forgotten; old rows go"
    )
    func swept() async throws {
        let fixture = try await WorkerFixture.make()
        let sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
        let (never, ran) = (NewImport.sample(fixture), ImportID(try await fixture.ready(.importing)))
        _ = try await fixture.imports.create(never, by: fixture.person.member)
        let opening = PartUploadOpening(id: "set", partSize: 3, most: 1)
        _ = try await fixture.imports.openPartUpload(opening, of: never.id, by: fixture.person.member)
        let owner = fixture.person.owner
        let parts = StoredPartUpload(
            key: ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: never.object), id: "set", storedAt: .now)
        #expect(try await sweep.orphans(among: [parts]).isEmpty)
        _ = try await fixture.database.change(
            "update imports set upload_expires_at = now() - interval '1 s' where id = $1", .uuid(never.id.uuid))
        let job = try await fixture.claim(.importing)
        try await fixture.begin(job)
        try await fixture.finish(job)
        #expect(try await fixture.imports.uploadState(never.object, of: fixture.person.owner) == .awaiting)

        #expect(try await sweep.end(.importUploads, most: 10) == 1)
        let ended = try await sweep.ended(.imports, limit: 10)
        #expect(Set(ended.map(\.id)) == [never.id.uuid, ran.uuid])
        let expired = try #require(try await fixture.imports.find(never.id, of: fixture.person.member))
        #expect(expired.status == .failed && expired.code == .uploadExpired && expired.finishedAt != nil)
        #expect(try await sweep.orphans(among: [parts]).count == 1)
        #expect(try await fixture.imports.uploadState(never.object, of: fixture.person.owner) == .gone)
        for one in ended { try await sweep.forget(one, of: .imports) }
        #expect(try await sweep.ended(.imports, limit: 10).isEmpty)
        #expect(try await sweep.end(.importRows, most: 10) == 0)
        #expect(try await fixture.database.int("select count(*) from imports") == 2)
        _ = try await fixture.database.change("update imports set finished_at = now() - interval '31 days'")
        for _ in 0..<2 { #expect(try await sweep.end(.importRows, most: 10) == 10, "there may be more") }
        #expect(try await fixture.database.int("select count(*) from imports") == 0)
    }
}

extension NewImport {
    fileprivate static func sample(_ fixture: WorkerFixture) -> NewImport {
        NewImport(
            id: ImportID(UUIDv7.make()), sizeBytes: 5, sha256: nil, object: UUID(), keyID: fixture.person.keyID, windowSeconds: 3_600,
            requestHash: SecureRandom.bytes(8))
    }
}
