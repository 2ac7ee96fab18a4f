import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Typed entries that are described", .serialized, .timeLimit(.minutes(2)))
struct TypedEntryTests {
    private static let columns = "concat_ws(' ', status, stage, stage_code, rerun_from)"

    private static func entry(_ person: Person, _ id: EntryID = EntryID(UUIDv7.make()), key: [UInt8]? = nil) -> NewEntry {
        var entry = person.text(id, idempotency: key)
        entry.describing = JobID(UUIDv7.make())
        return entry
    }

    @Test("the entry and its job are one creation, also when it is repeated", arguments: [nil, [7, 7, 7]] as [[UInt8]?])
    func created(key: [UInt8]?) async throws {
        let fixture = try await EntryFixture.make { Self.entry($0, $1, key: key) }

        #expect(try await fixture.columns(Self.columns) == "cleaning clean clean")
        #expect(try await fixture.jobs() == "clean ready")
        let again = Self.entry(fixture.person, fixture.id, key: key)
        guard case .replayed(let found) = try await fixture.store.create(again, by: fixture.member) else {
            Issue.record("made twice")
            return
        }
        #expect(found.facts.status == .cleaning && found.facts.processing?.stage == .clean)
        #expect(try await fixture.jobs() == "clean ready")
    }

    @Test("in a batch, too, and a text without such a job is finished")
    func batch() async throws {
        let fixture = try await EntryFixture.make { Self.entry($0, $1) }

        let outcomes = try await fixture.store.create([Self.entry(fixture.person), fixture.person.text()], by: fixture.member)

        #expect(outcomes.map(\.entry?.facts.status) == [.cleaning, .transcribed])
    }

    @Test("a typed text is described again where the app wants it, and never recognised")
    func again() async throws {
        let fixture = try await EntryFixture.make { person, id in person.text(id) }
        func run(_ stage: NewRun.Stage, _ describes: Bool) async throws -> String {
            try await fixture.store.reprocess(
                fixture.id, NewRun(stage: stage, describesTexts: describes), within: UsageLimits(), keyID: fixture.keyID,
                job: JobID(UUIDv7.make()), claim: nil, by: fixture.member
            ).name
        }

        #expect(try await run(.clean, false) == "already")
        #expect(try await run(.transcribe, true) == "already")
        #expect(try await fixture.jobs() == nil)
        #expect(try await run(.clean, true) == "enqueued")
        #expect(try await fixture.columns(Self.columns) == "cleaning clean clean")
        #expect(try await fixture.jobs() == "clean ready")
        #expect(try await run(.clean, true) == "already")
    }

    @Test("another text loses its description; one job describes it, however often it is edited, and none where the app wants none")
    func edited() async throws {
        let fixture = try await EntryFixture.make { person, id in person.text(id) }
        func edit(_ version: Int64, _ job: JobID?) async throws -> String {
            var rewrite = PersonalRewrite(id: fixture.id, sealed: SealedColumn(bytes: [9], version: version + 1), expecting: version)
            rewrite.changesWords = true
            rewrite.redescription = Redescription(job: job)
            return try await fixture.store.rewritePersonal(rewrite, keyID: fixture.keyID, by: fixture.member).name
        }
        let described = "concat_ws(' ', status, stage, stage_code, rerun_from, machine_version, machine is null)"
        try await fixture.database.change(
            "update entries set machine = '\\x06', machine_version = 3, stage = 'clean', stage_code = 'consent_required' where id = $1",
            .uuid(fixture.id.uuid))

        #expect(try await edit(7, JobID(UUIDv7.make())) == "conflict")
        #expect(try await fixture.columns(described) == "transcribed clean consent_required 3 f")
        #expect(try await fixture.jobs() == nil)
        #expect(try await edit(1, nil) == "written")
        #expect(try await fixture.columns("concat_ws(' ', status, rerun_from, machine_version, machine is null)") == "transcribed 0 t")
        #expect(try await fixture.jobs() == nil)
        #expect(try await edit(2, JobID(UUIDv7.make())) == "written")
        #expect(try await fixture.columns(described) == "cleaning clean clean 0 t")
        #expect(try await edit(3, JobID(UUIDv7.make())) == "written")
        #expect(try await fixture.jobs() == "clean ready")
    }

    @Test("a description of an earlier version of the text is not written")
    func stale() async throws {
        let fixture = try await WorkerFixture.make()
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        let entry = Self.entry(fixture.person)
        _ = try await fixture.entries.create(entry, by: member)
        let job = try await fixture.claim(.clean)
        _ = try await fixture.transcriptions.beginEntry(job)
        let rewrite = PersonalRewrite(id: entry.id, sealed: SealedColumn(bytes: [9], version: 2), expecting: 1)
        #expect(try await fixture.entries.rewritePersonal(rewrite, keyID: keyID, by: member).name == "written")
        func finish(_ personal: Int64) async throws(WorkError) -> JobKind? {
            try await fixture.transcriptions.finishMachine(
                job, machine: fixture.words(1, [8]), replaced: ReplacedTexts(personal: personal), waiting: nil)
        }

        let refusal = await refusal { () throws(WorkError) in try await finish(1) }
        #expect(refusal?.isOutage == true, "the worker reads the text again")
        #expect(try await fixture.entries.entry(entry.id, of: member)?.machine == nil)
        #expect(try await finish(2) == nil)
        #expect(try await fixture.entries.entry(entry.id, of: member)?.machine?.bytes == [8])
    }

    @Test("a job that is missing is made again for a text, which has no size")
    func stranded() async throws {
        let fixture = try await EntryFixture.make { Self.entry($0, $1) }
        try await fixture.database.change("delete from jobs where subject = $1", .uuid(fixture.id.uuid))
        let sweeps = PostgresSweepStore(pool: try fixture.database.pool(.worker))

        let mended = try await sweeps.mend(
            StrandedEntry(owner: fixture.person.owner, entry: fixture.id, kind: .clean), job: JobID(UUIDv7.make()))

        #expect(mended)
        #expect(try await fixture.jobs() == "clean ready")
    }
}
