import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// What an export selects, and what of it the next one since it does.
@Suite("Selections of exports", .timeLimit(.minutes(2)))
struct ExportSelectionTests {
    private static func all() throws -> ExportSelection { ExportSelection(from: try day("2026-01-01"), to: try day("2026-12-31")) }

    private static func at(_ day: Int) -> Date { Date(timeIntervalSince1970: 1_772_366_400 + Double(day) * 86_400) }

    @Test("a snapshot gives the entries of a kind, of one id, and those changed after a number, with what was deleted since")
    func conditions() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let (first, second, third, voice) = (
            person.text(at: Self.at(0)), person.text(at: Self.at(1)), person.text(at: Self.at(2)), person.voice()
        )
        for entry in [first, second, third, voice] { _ = try await fixture.entries.create(entry, by: person.member) }

        func read(_ change: (inout ExportSelection) -> Void) async throws -> SnapshotReading {
            var selection = try Self.all()
            change(&selection)
            return try await .of(selection, fixture.builds, person.owner)
        }
        let everything = try await read { _ in }
        let mark = try #require(everything.snapshot)
        #expect(mark == ExportSnapshot(changesUpto: 4, knowsDeletions: true) && everything.deleted.isEmpty)
        #expect(Set(everything.entries) == [first.id, second.id, third.id, voice.id])
        #expect(try await read { $0.kind = .voice }.entries == [voice.id])
        #expect(try await read { $0.kind = .text }.entries == [first.id, second.id, third.id])
        // The entry alone counts, whatever its day is by now.
        #expect(
            try await read { selection in
                selection.entries = [second.id]
                selection.from = selection.to
            }.entries == [second.id])
        #expect(try await read { $0.changedAfter = mark.changesUpto }.entries.isEmpty)

        _ = try await fixture.entries.delete(first.id, expecting: nil, keyID: person.keyID, by: person.member)
        let later = person.text(at: Self.at(3))
        _ = try await fixture.entries.create(later, by: person.member)
        let since = try await read { $0.changedAfter = mark.changesUpto }
        #expect(since.entries == [later.id] && since.deleted == [first.id])
        #expect(since.snapshot == ExportSnapshot(changesUpto: 6, knowsDeletions: true))

        try await fixture.database.change("update user_sync set purged_through = 5")
        #expect(try await read { $0.changedAfter = 4 }.snapshot?.knowsDeletions == false)
        #expect(try await read { $0.changedAfter = 5 }.snapshot?.knowsDeletions == true)
        #expect(try await read { _ in }.snapshot?.knowsDeletions == true)
    }

    @Test("tags are candidates by their hashes, and entries whose hashes are of other words are candidates too")
    func tags() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let vault = Vault(key: DataKey.generate(), owner: person.owner)
        func text(_ tags: [String], _ day: Int) async throws -> EntryID {
            var entry = person.text(at: Self.at(day))
            entry.labelHashes = vault.hashes(of: ExportSelection.labels(of: tags))
            _ = try await fixture.entries.create(entry, by: person.member)
            return entry.id
        }
        let both = try await text(["sea", "sun"], 0)
        let one = try await text(["sea"], 1)
        _ = try await text([], 2)
        func read(_ tags: [String]) async throws -> [EntryID] {
            let sealed = try SealedTags(tags, vault)
            return try await SnapshotReading.of(try Self.all(), tagged: sealed, vault: vault, fixture.builds, person.owner).entries
        }

        #expect(try await read([" SEA"]) == [both, one])
        #expect(try await read(["sea", "sun"]) == [both])
        #expect(try await read(["wood"]).isEmpty)
    }

    @Test("an export since another begins at the snapshot of that one, which must have been built")
    func since() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        func ask(since: ExportID?) async throws -> ExportCreateOutcome {
            var export = try person.export(request: SecureRandom.bytes(8))
            export.selection.since = since
            return try await fixture.exports.create(export, by: person.member)
        }
        #expect(try await ask(since: ExportID(UUID())).name == "noSnapshot")
        let base = ExportID(try await fixture.ready(.export))
        #expect(try await ask(since: base).name == "snapshotNotTaken")
        let job = try await fixture.claim(.export)
        try await fixture.begin(job)
        #expect(try await ask(since: base).name == "snapshotNotTaken")
        try await fixture.finish(job)

        let next = try #require(try await ask(since: base).export)
        #expect(next.since == base && next.selection.changedAfter == 3 && next.changesUpto == nil)
        #expect(try await fixture.exports.export(base, of: person.member)?.changesUpto == 3)
        // Its zip may end; what was seen stays seen.
        #expect(try await fixture.exports.revoke(base, by: person.member))
        #expect(try await ask(since: base).export?.selection.changedAfter == 3)

        let neighbor = try await Person.make(in: fixture.database, tenant: person.owner.tenant)
        var theirs = try neighbor.export(request: [9])
        theirs.selection.since = base
        #expect(try await fixture.exports.create(theirs, by: neighbor.member).name == "noSnapshot")
        // Built by a version that noted no snapshot.
        try await fixture.database.change("update exports set changes_upto = null where id = $1", .uuid(base.uuid))
        #expect(try await ask(since: base).name == "noSnapshot")
        #expect(try await fixture.database.int("select count(*) from idempotency_keys where operation = 'export'") == 3)
    }

    @Test("an export of one entry is of its day, and of no entry that is not there")
    func entry() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        // Half an hour after midnight in Berlin.
        let entry = person.text(at: Date(timeIntervalSince1970: 1_772_321_400))
        _ = try await fixture.entries.create(entry, by: person.member)
        func ask(_ ids: EntryID...) async throws -> ExportCreateOutcome {
            var export = try person.export(request: SecureRandom.bytes(8))
            export.selection = RequestedSelection(.entries(ids))
            return try await fixture.exports.create(export, by: person.member)
        }

        let made = try #require(try await ask(entry.id).export)
        #expect(made.selection == ExportSelection(from: try day("2026-03-01"), to: try day("2026-03-01"), entries: [entry.id]))
        #expect(try await ask(EntryID(UUID())).name == "noEntries([0])")
        #expect(try await ask(EntryID(UUID()), entry.id, EntryID(UUID())).name == "noEntries([0, 2])")
        let later = person.text(at: Date(timeIntervalSince1970: 1_772_321_400 + 10 * 86_400))
        _ = try await fixture.entries.create(later, by: person.member)
        #expect(
            try await ask(later.id, entry.id).export?.selection
                == ExportSelection(from: try day("2026-03-01"), to: try day("2026-03-11"), entries: [later.id, entry.id]))
        _ = try await fixture.entries.delete(entry.id, expecting: nil, keyID: person.keyID, by: person.member)
        #expect(try await ask(entry.id).name == "noEntries([0])")
    }

    @Test("contents and sealed tags are stored under the account's present key alone, and come back")
    func stored() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        let vault = Vault(key: DataKey.generate(), owner: person.owner)
        var export = try person.export(request: [7])
        export.selection.tags = ["Sea", "sun"]
        export.selection.kind = .voice
        export.tags = try SealedTags(export.selection.tags, vault)
        export.contents = ExportContents(includeAudio: false, formats: [.md, .transcriptJSON], layer: .raw)
        // Another key than the account's: it was erased meanwhile.
        await #expect(throws: DiaryError.self) { _ = try await fixture.exports.create(export, by: person.member) }
        try await fixture.database.change("update user_sync set key_id = $1", .uuid(vault.key.id))

        let made = try #require(try await fixture.exports.create(export, by: person.member).export)
        #expect(made.contents == export.contents && made.selection.kind == .voice && made.selection.tags.isEmpty)
        let opened = try made.opened(by: vault)
        #expect(opened.selection.tags == ["Sea", "sun"] && opened.tagHashes == export.tags?.hashes)
        let (claimed, _) = try await fixture.builds.beginExport(try await fixture.claim(.export))
        #expect(try claimed.opened(by: vault).selection.tags == ["Sea", "sun"])
        let plain = try #require(try await fixture.database.text("select x::text from exports x"))
        #expect(!plain.lowercased().contains("sea"))
    }

    @Test("a chain of exports, each since the one before, misses no change that is written meanwhile")
    func chain() async throws {
        let fixture = try await WorkerFixture.make()
        let person = fixture.person
        async let read = Self.read(fixture, until: 150)

        let made = try await parallel(6) { writer in
            var made: [EntryID] = []
            for number in 0..<25 {
                let entry = person.text(at: Self.at(writer * 25 + number), request: SecureRandom.bytes(8))
                _ = try await fixture.entries.create(entry, by: person.member)
                made.append(entry.id)
            }
            return made
        }.flatMap(\.self)

        let found = try await read
        #expect(found.count == 150, "each entry once, because each changed once")
        #expect(Set(found) == Set(made))
    }

    /// The entries of exports since each other, until so many changes were seen.
    private static func read(_ fixture: WorkerFixture, until changes: Int64) async throws -> [EntryID] {
        var (found, mark): ([EntryID], Int64) = ([], 0)
        let deadline = ContinuousClock.now + .seconds(60)
        while mark < changes, .now < deadline {
            var selection = ExportSelection(from: try day("2026-01-01"), to: try day("2026-12-31"))
            selection.changedAfter = mark
            let reading = try await SnapshotReading.of(selection, fixture.builds, fixture.person.owner)
            guard let snapshot = reading.snapshot else { throw NotWhatWasExpected() }
            found += reading.entries
            mark = snapshot.changesUpto
        }
        return found
    }
}
