import DiaryCore
import Foundation
import Testing

@testable import DiaryDatabase

/// Tombstones that go away under a reader's feet: the reader hears of the deletion, or that the position has expired; never neither.
@Suite("Entry feed and purges", .serialized, .timeLimit(.minutes(2)))
struct EntryFeedPurgeTests {
    /// Entries 1 and 2, then the deletion of the first as change 3.
    private static func make() async throws -> (shop: Workshop, gone: EntryID) {
        let shop = try await Workshop.make()
        let ids = [EntryID(UUIDv7.make()), EntryID(UUIDv7.make())]
        for id in ids { _ = try await shop.entries.create(shop.person.text(id), by: shop.person.member) }
        _ = try await shop.entries.delete(ids[0], expecting: nil, keyID: shop.person.keyID, by: shop.person.member)
        return (shop, ids[0])
    }

    private static func purge(_ database: MigratedDatabase) async throws {
        try await database.change("update entries set deleted_at = deleted_at - interval '91 days' where deleted_at is not null")
        _ = try await PostgresSweepStore(pool: try database.pool(.worker)).sweepOld(most: 1_000)
    }

    /// A reader that is held in the middle of its page, after it has looked at the member's counter.
    private static func whileReading(
        _ shop: Workshop, from start: FeedStart, _ body: () async throws -> Void
    ) async throws -> FeedOutcome {
        let (database, member) = (shop.database, shop.person.member)
        try await database.change(
            """
            create function gate() returns boolean language plpgsql volatile as $$
            begin perform pg_advisory_xact_lock_shared(17); return true; end $$
            """)
        try await database.change("grant execute on function gate() to diary_api")
        try await database.change(
            "alter policy user_sync_api on user_sync using (tenant_id = current_tenant() and user_id = current_member() and gate())")
        let holder = try DedicatedConnection(database.settings(.superuser), logger: TestDatabase.quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("select pg_advisory_lock(17)")])
        async let reading = shop.entries.changes(from: start, limit: 50, of: member)
        let deadline = ContinuousClock.now + .seconds(20)
        // Locks of the whole server are seen here, other tests' too.
        let waiting = """
            select count(*) from pg_locks where locktype = 'advisory' and not granted
                and database = (select oid from pg_database where datname = current_database())
            """
        while try await database.int(waiting) == 0 {
            guard ContinuousClock.now < deadline else { throw NotWhatWasExpected() }
            try await Task.sleep(for: .milliseconds(5))
        }
        try await body()
        _ = try await holder.run([Statement("select pg_advisory_unlock(17)")])
        return try await reading
    }

    @Test("a purge in the middle of a page takes no deletion away from its reader (A17)", arguments: [true, false])
    func purgedWhileReading(moreAfterIt: Bool) async throws {
        let (shop, gone) = try await Self.make()
        if moreAfterIt { _ = try await shop.entries.create(shop.person.text(), by: shop.person.member) }

        let outcome = try await Self.whileReading(shop, from: .after(changeNumber: 2)) { try await Self.purge(shop.database) }

        switch outcome {
        case .expired: break
        case .page(let page, _, _): #expect(page.contains { $0.facts.id == gone && $0.facts.deletedAt != nil })
        }
    }

    @Test("a time from before the days for which tombstones are kept has expired as soon as one was purged; a later one has not")
    func oldTimes() async throws {
        let (shop, _) = try await Self.make()
        func outcome(daysAgo: Double) async throws -> String {
            let start = FeedStart.changedSince(Date(timeIntervalSinceNow: -daysAgo * 86_400))
            return if case .expired = try await shop.entries.changes(from: start, limit: 10, of: shop.person.member) { "expired" } else {
                "page"
            }
        }
        #expect(try await outcome(daysAgo: 120) == "page")

        try await Self.purge(shop.database)

        #expect(try await outcome(daysAgo: 120) == "expired")
        #expect(try await outcome(daysAgo: 80) == "page")
    }
}
