import DiaryCore
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

@Suite("Worker presence", .timeLimit(.minutes(1)))
struct WorkerPresenceTests {
    @Test("a worker is alive from its report until it withdraws or is silent for 45 seconds, and asked by the API's role")
    func presence() async throws {
        let database = try await MigratedDatabase.make()
        let workers = PostgresWorkerPresence(pool: try database.pool(.worker))
        let asked = PostgresWorkerPresence(pool: try database.pool(.api))
        let one = WorkerIdentity(name: "host/1", version: "0.1.0")
        // A container beside it, with the same name and number.
        let other = WorkerIdentity(name: "host/1", version: "0.2.0")

        #expect(try await asked.alive() == .gone)
        try await workers.report(one, hears: true)
        try await workers.report(one, hears: false)
        #expect(try await asked.alive() == .deaf)
        try await workers.report(other, hears: true)
        #expect(try await asked.alive() == .hearing)
        #expect(try await database.int("select count(*) from workers") == 2)

        try await workers.withdraw(one)
        #expect(try await asked.alive() == .hearing)
        try await database.change("update workers set seen_at = seen_at - interval '46 seconds'")
        #expect(try await asked.alive() == .gone)
        try await workers.report(other, hears: true)
        #expect(try await asked.alive() == .hearing)
    }

    @Test("rows of workers that did not withdraw are deleted by the reports of others after a day")
    func ended() async throws {
        let database = try await MigratedDatabase.make()
        let workers = PostgresWorkerPresence(pool: try database.pool(.worker))
        let (one, other) = (WorkerIdentity(name: "host/1", version: "1"), WorkerIdentity(name: "host/2", version: "1"))
        try await workers.report(one, hears: true)
        try await workers.report(other, hears: true)
        try await database.change("update workers set seen_at = seen_at - interval '25 hours'")

        try await workers.report(other, hears: true)

        #expect(try await database.text("select string_agg(name, ',') from workers") == "host/2")
    }
}
