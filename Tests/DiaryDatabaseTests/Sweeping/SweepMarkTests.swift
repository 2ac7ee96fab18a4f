import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import Testing

@testable import DiaryDatabase

/// Row A20: a database that was restored notices it.
@Suite("Sweep marks", .serialized, .timeLimit(.minutes(1)))
struct SweepMarkTests {
    private struct Fixture {
        let database: MigratedDatabase
        let store: PostgresSweepStore
        let restores: PostgresRestoreAdministration

        static func make() async throws -> Fixture {
            let database = try await MigratedDatabase.make()
            return Fixture(
                database: database, store: PostgresSweepStore(pool: try database.pool(.worker)),
                restores: PostgresRestoreAdministration(pool: try database.pool(.admin)))
        }

        func note(_ stored: Int64, isFirst: Bool = false) async throws -> NotedSweep {
            try await store.noteSweep(stored: stored, isFirst: isFirst, awaySeconds: 600)
        }

        func epoch() async throws -> Int64 { try await database.int("select epoch from sync_epoch") }
    }

    @Test("sweeps are counted, also by several workers at once, and nothing is found in a database that continues")
    func counted() async throws {
        let fixture = try await Fixture.make()

        let noted = try await parallel(8) { number in try await fixture.note(0, isFirst: number == 0) }

        #expect(Set(noted.map(\.number)) == Set(1...8) && noted.allSatisfy { $0.finding == nil })
        #expect(try await fixture.note(8, isFirst: true) == NotedSweep(number: 9))
        // Objects of an older backup, or a store without a mark.
        #expect(try await fixture.note(3) == NotedSweep(number: 10))
        #expect(try await fixture.store.keptTimes().isEmpty)
        #expect(try await fixture.epoch() == 0)
    }

    @Test("A20: a database that is behind the objects begins an epoch and keeps the objects since its last sweep")
    func behind() async throws {
        let fixture = try await Fixture.make()
        _ = try await fixture.note(0)
        try await fixture.database.change("update sweep_mark set at = now() - interval '1 hour'")

        #expect(try await fixture.note(40) == NotedSweep(number: 41, finding: .restored))

        let kept = try #require(try await fixture.store.keptTimes().first)
        #expect(kept.contains(Date(timeIntervalSinceNow: -3_000)) && !kept.contains(Date(timeIntervalSinceNow: -7_200)))
        #expect(try await fixture.epoch() > 0)
        #expect(try await fixture.note(41) == NotedSweep(number: 42))

        try await fixture.restores.releaseKept(through: kept.upperBound)
        #expect(try await fixture.store.keptTimes().isEmpty)
    }

    @Test("A20: a database that was dumped and restored notices it although the numbers fit")
    func dumped() async throws {
        let fixture = try await Fixture.make()
        _ = try await fixture.note(0)
        // As a restore writes the row: with the same values, in another transaction.
        try await fixture.database.change("update sync_epoch set epoch = epoch")

        #expect(try await fixture.note(1).finding == .restored)
        #expect(try await fixture.note(2).finding == nil)
    }

    @Test("A20: after a time without workers the objects of that time are kept, and positions stay")
    func unobserved() async throws {
        let fixture = try await Fixture.make()
        _ = try await fixture.note(0, isFirst: true)
        try await fixture.database.change("update sweep_mark set at = now() - interval '1 hour'")
        #expect(try await fixture.note(1).finding == nil)
        try await fixture.database.change("update sweep_mark set at = now() - interval '1 hour'")

        #expect(try await fixture.note(2, isFirst: true).finding == .unobserved)

        #expect(try await fixture.store.keptTimes().count == 1)
        #expect(try await fixture.epoch() == 0)
    }

    @Test("A20: what is kept is released up to a time, and the objects of a later restore stay")
    func released() async throws {
        let fixture = try await Fixture.make()
        let first = try await fixture.restores.beginEpoch(lostSince: Date(timeIntervalSinceNow: -7_200)).lost
        try await fixture.database.change(
            "update sweep_mark set kept = kept + tstzmultirange(tstzrange(now() + interval '1 hour', now() + interval '2 hours', '[]'))")

        try await fixture.restores.releaseKept(through: first.upperBound)

        let left = try await fixture.restores.keptTimes()
        #expect(left.count == 1 && left[0].contains(Date(timeIntervalSinceNow: 5_400)))
    }
}
