import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Playback links and what they end with", .timeLimit(.minutes(2)))
struct PlaybackStoreTests {
    private struct Scene {
        let fixture: WorkerFixture
        let entry: NewEntry
        let object: UUID

        static func make() async throws -> Scene {
            let fixture = try await WorkerFixture.make()
            let entry = fixture.person.voice()
            _ = try await fixture.entries.create(entry, by: fixture.person.member)
            return Scene(fixture: fixture, entry: entry, object: try #require(entry.object))
        }

        func generation() async throws -> Int64? { try await fixture.entries.linkGeneration(of: object, fixture.person.owner) }
    }

    @Test("a link's generation is read with its entry and by its object; it changes with the end of all sessions, the one that stays too")
    func generation() async throws {
        let scene = try await Scene.make()
        let (fixture, member) = (scene.fixture, scene.fixture.person.member)
        let sessions = PostgresSessionStore(pool: try fixture.database.pool(.api))
        let found = try #require(try await fixture.entries.recording(scene.entry.id, of: member))
        #expect(found.recording.entry.facts.object == scene.object && found.linkGeneration == 0)
        #expect(try await scene.generation() == 0)

        try await sessions.endAll(keepingOwn: true, by: member, requestID: nil)

        #expect(try await scene.generation() == 1)
        #expect(try await fixture.entries.recording(scene.entry.id, of: member)?.linkGeneration == 1)
        #expect(try await fixture.entries.recording(EntryID(UUID()), of: member) == nil)
    }

    @Test("no generation opens the object of a deleted entry, of a disabled or ended account, of a suspended app, or another account's")
    func gone() async throws {
        let deleted = try await Scene.make()
        let person = deleted.fixture.person
        #expect(try await deleted.fixture.entries.linkGeneration(of: UUID(), person.owner) == nil)
        let other = try await Person.make(in: deleted.fixture.database)
        #expect(try await deleted.fixture.entries.linkGeneration(of: deleted.object, other.owner) == nil)
        _ = try await deleted.fixture.entries.delete(deleted.entry.id, expecting: nil, keyID: person.keyID, by: person.member)
        #expect(try await deleted.generation() == nil)

        for end in [
            "update users set disabled_at = now()", "update users set deleted_at = now()", "update tenants set suspended_at = now()",
        ] {
            let scene = try await Scene.make()
            #expect(try await scene.generation() == 0)
            try await scene.fixture.database.change(end)
            #expect(try await scene.generation() == nil, "\(end)")
        }
    }
}
