import DiaryCore
import Foundation
import Testing

@testable import DiaryDatabase

/// Tombstones purged while a reader pages: the reader gets the deletion, or learns that the position has expired; never neither.
@Suite("Entry feed and purges", .serialized, .timeLimit(.minutes(2)))
struct EntryFeedPurgeTests {
    /// Entries 1 and 2, then the deletion of the first as change 3.
    private static func make() async throws -> (fixture: WorkerFixture, gone: EntryID) {
        let fixture = try await WorkerFixture.make()
        let ids = [EntryID(UUIDv7.make()), EntryID(UUIDv7.make())]
        for id in ids { _ = try await fixture.entries.create(fixture.person.text(id), by: fixture.person.member) }
        _ = try await fixture.entries.delete(ids[0], expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        return (fixture, ids[0])
    }

    private static func purge(_ database: MigratedDatabase, days: Int = 91) async throws {
        try await database.change(
            """
            update entries set deleted_at = deleted_at - interval '\(days) days', updated_at = updated_at - interval '\(days) days'
            where deleted_at is not null
            """)
        _ = try await PostgresSweepStore(pool: try database.pool(.worker)).sweepOld(most: 1_000)
    }

    @Test("a purge in the middle of a page hides no deletion from the reader (A17)", arguments: [true, false])
    func purgedWhileReading(moreAfterIt: Bool) async throws {
        let (fixture, gone) = try await Self.make()
        if moreAfterIt { _ = try await fixture.entries.create(fixture.person.text(), by: fixture.person.member) }

        // Blocked after it has read the member's counter.
        let outcome = try await fixture.holding(at: "user_sync", condition: "tenant_id = current_tenant() and user_id = current_member()") {
            try await fixture.entries.changes(from: .after(changeNumber: 2), limit: 50, of: fixture.person.member)
        } _: {
            try await Self.purge(fixture.database)
        }

        switch outcome {
        case .expired: break
        case .page(let page, _, _, _, _): #expect(page.contains { $0.facts.id == gone && $0.facts.deletedAt != nil })
        }
    }

    @Test(
        "a time from before a deletion has expired as soon as it was purged, also when the app keeps tombstones longer by then; a later has not",
        arguments: [nil, 7, 120])
    func oldTimes(configured: Int?) async throws {
        let (fixture, _) = try await Self.make()
        let days = Double(configured ?? 90)
        if let configured {
            try await fixture.database.change(
                "update tenants set configuration = configuration || jsonb_build_object('retention.tombstone_days', \(configured))")
        }
        func outcome(daysAgo: Double) async throws -> String {
            let start = FeedStart.changedSince(Date(timeIntervalSinceNow: -daysAgo * 86_400))
            return if case .expired = try await fixture.entries.changes(from: start, limit: 10, of: fixture.person.member) {
                "expired"
            } else {
                "page"
            }
        }
        #expect(try await outcome(daysAgo: days + 2) == "page")

        try await Self.purge(fixture.database, days: Int(days) + 1)

        if configured != nil {
            try await fixture.database.change("update tenants set configuration = configuration - 'retention.tombstone_days'")
        }
        #expect(try await outcome(daysAgo: days + 2) == "expired")
        #expect(try await outcome(daysAgo: days - 2) == "page")
    }
}
