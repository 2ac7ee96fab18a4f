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
