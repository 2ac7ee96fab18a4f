import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

@Suite("Places in the queue", .timeLimit(.minutes(1)))
struct QueuePlaceTests {
    private static func place(_ entry: UUID, _ fixture: WorkerFixture) async throws -> QueuePlace? {
        try await fixture.entries.entry(EntryID(entry), of: fixture.person.member)?.facts.processing?.place
    }

    @Test(
        "an entry stands after the account's own that came before it; how long that takes is known when workers work, and not when the queue is held"
    )
    func waiting() async throws {
        let fixture = try await WorkerFixture.make()
        var entries: [UUID] = []
        for _ in 0..<3 { entries.append(try await fixture.ready(.verify)) }
        try await fixture.database.change("update jobs set cost = 4")
        #expect(try await Self.place(entries[2], fixture) == QueuePlace(position: 3))

        try await PostgresWorkerPresence(pool: try fixture.database.pool(.worker)).report(
            WorkerIdentity(name: "w", version: "1"), hears: true)
        let first = try await fixture.claim(.verify)
        #expect(first.subject == entries[0])

        #expect(try await Self.place(entries[0], fixture) == QueuePlace())
        #expect(try await Self.place(entries[1], fixture) == QueuePlace(position: 1, waitSeconds: 0))
        #expect(try await Self.place(entries[2], fixture) == QueuePlace(position: 2, waitSeconds: 4))
        // Another account takes turns with it.
        let other = try await WorkerFixture.make(in: fixture.database)
        try await other.ready(.verify)
        #expect(try await Self.place(entries[2], fixture) == QueuePlace(position: 2, waitSeconds: 12))

        let administration = PostgresJobAdministration(pool: try fixture.database.pool(.admin))
        #expect(try await administration.pause(.media, of: nil, by: "op"))
        #expect(try await Self.place(entries[2], fixture) == QueuePlace(position: 2))
    }

    @Test("a stage that is tried again later has no place, and neither have entries that wait for nothing")
    func others() async throws {
        let fixture = try await WorkerFixture.make()
        let entry = try await fixture.ready(.verify)
        let job = try await fixture.claim(.verify)
        try await fixture.queue.retry(job, code: .storageUnavailable, afterSeconds: 600)
        #expect(try await Self.place(entry, fixture) == QueuePlace())

        let done = try await fixture.transcribed()
        #expect(try await fixture.entries.entry(done, of: fixture.person.member)?.facts.processing == nil)
    }

    @Test("the function tells nothing of an entry of another account, whatever id it is asked with (C2)")
    func foreign() async throws {
        let fixture = try await WorkerFixture.make()
        let entry = try await fixture.ready(.verify)
        let other = try await Person.make(in: fixture.database)
        let transaction = MemberTransaction(pool: try fixture.database.pool(.api))

        func rows(_ person: Person) async throws -> Int {
            try await transaction.run(
                person.member, [Statement("select * from queue_place($1, 'verify', 'media', 45)", [.uuid(entry)])])[0].count
        }

        #expect(try await rows(fixture.person) == 1)
        #expect(try await rows(other) == 0)
    }
}
