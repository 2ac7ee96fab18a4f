import Foundation
import PostgresClient
import Synchronization
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Entry feed", .timeLimit(.minutes(3)))
struct EntryFeedTests {
    private func page(_ outcome: FeedOutcome) throws -> (entries: [StoredEntry], latest: Int64) {
        guard case .page(let page, _, let latest, _, _) = outcome else { throw NotWhatWasExpected() }
        return (page.entries, latest)
    }

    private func isExpired(_ outcome: FeedOutcome) -> Bool { if case .expired = outcome { true } else { false } }

    @Test("the feed reads from the beginning, from a position and from a time, and includes deletions")
    func starts() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let ids = (0..<4).map { _ in EntryID(UUIDv7.make()) }
        for id in ids { _ = try await store.create(person.text(id), by: person.member) }
        _ = try await store.delete(ids[1], expecting: nil, keyID: person.keyID, by: person.member)
        try await database.change(
            "update entries set updated_at = '2020-01-01T00:00:00Z' where user_id = $1 and id <> $2", .uuid(person.owner.user.uuid),
            .uuid(ids[3].uuid))

        let all = try page(try await store.changes(from: .beginning, limit: 10, of: person.member))
        let two = try page(try await store.changes(from: .beginning, limit: 2, of: person.member))
        let rest = try page(try await store.changes(from: .after(changeNumber: 3), limit: 10, of: person.member))
        let end = try page(try await store.changes(from: .after(changeNumber: 5), limit: 10, of: person.member))
        let since = try page(
            try await store.changes(
                from: .changedSince(Date(timeIntervalSince1970: 1_600_000_000)), limit: 10, of: person.member))

        #expect(all.entries.map(\.facts.id) == [ids[0], ids[2], ids[3], ids[1]])
        #expect(all.entries.map(\.facts.changeNumber) == [1, 3, 4, 5])
        #expect(all.entries.map { $0.facts.deletedAt != nil } == [false, false, false, true])
        #expect(all.latest == 5)
        #expect(two.entries.map(\.facts.changeNumber) == [1, 3])
        #expect(rest.entries.map(\.facts.changeNumber) == [4, 5])
        #expect(end.entries.isEmpty && end.latest == 5)
        #expect(since.entries.map(\.facts.id) == [ids[3]])
    }

    @Test("A20: a position of another epoch has expired, also when the numbers fit, and so has a time that was lost")
    func epochs() async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        for _ in 0..<5 { _ = try await store.create(person.text(), by: person.member) }
        func epoch() async throws -> Int64 {
            guard case .page(_, _, _, _, let epoch) = try await store.changes(from: .beginning, limit: 1, of: person.member)
            else {
                throw NotWhatWasExpected()
            }
            return epoch
        }
        #expect(try await epoch() == 0)
        #expect(
            try page(try await store.changes(from: .after(changeNumber: 2), limit: 9, of: person.member)).entries.count == 3)

        let lost = Date(timeIntervalSinceNow: -7_200)
        let restores = PostgresRestoreAdministration(pool: try database.pool(.admin))
        #expect(try await restores.beginEpoch(lostSince: lost).lost.lowerBound < lost)

        let second = try await epoch()
        #expect(second > 0)
        for given in [Int64(0), second - 1, second + 1] {
            let start = FeedStart.after(changeNumber: 2, epoch: given)
            #expect(isExpired(try await store.changes(from: start, limit: 9, of: person.member)), "\(given)")
        }
        let now = FeedStart.after(changeNumber: 2, epoch: second)
        #expect(try page(try await store.changes(from: now, limit: 9, of: person.member)).entries.count == 3)
        for (secondsAgo, isLost) in [(3_600.0, true), (86_400, false)] {
            let start = FeedStart.changedSince(Date(timeIntervalSinceNow: -secondsAgo))
            #expect(isExpired(try await store.changes(from: start, limit: 9, of: person.member)) == isLost, "\(secondsAgo)")
        }
        // Another restore begins another one, however often the first is repeated.
        _ = try await restores.beginEpoch(lostSince: nil)
        #expect(try await ![0, second].contains(epoch()))
    }

    @Test("a position later than the database's newest change, or older than the oldest tombstone, has expired")
    func expired() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        for _ in 0..<10 { _ = try await store.create(person.text(), by: person.member) }
        try await database.change("update user_sync set purged_through = 5 where user_id = $1", .uuid(person.owner.user.uuid))

        for position in [Int64(1), 4, 11, .max] {
            #expect(
                isExpired(try await store.changes(from: .after(changeNumber: position), limit: 100, of: person.member)),
                "\(position)")
        }
        for (position, count) in [(Int64(0), 10), (5, 5), (10, 0)] {
            #expect(
                try page(try await store.changes(from: .after(changeNumber: position), limit: 100, of: person.member)).entries
                    .count
                    == count)
        }
        #expect(try page(try await store.changes(from: .beginning, limit: 100, of: person.member)).entries.count == 10)
        // A reader that began after the purge misses nothing.
        #expect(
            try page(try await store.changes(from: .after(changeNumber: 2, purgedThrough: 5), limit: 100, of: person.member))
                .entries.count
                == 8)
    }

    /// One poller's state of one entry.
    private struct Known: Equatable {
        var number: Int64
        var version: Int64
        var deleted: Bool
    }

    private final class Writing: Sendable {
        let flag = Mutex(true)
    }

    @Test("8 writers with late commits, 4 pollers: no change is missed, and an entry's changes come in order (A17)")
    func writersAndPollers() async throws {
        let database = try await MigratedDatabase.make()
        let person = try await Person.make(in: database)
        // The change number has been taken; the commit comes later.
        try await database.change(
            """
            create function late() returns trigger language plpgsql as $$ begin perform pg_sleep(random() * random() * 0.008); return null; end $$
            """)
        try await database.change("create trigger late after insert or update on entries for each row execute function late()")
        try await database.change("grant execute on function late() to diary_api")
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let writing = Writing()

        let views = try await withThrowingTaskGroup(of: [EntryID: Known]?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var known: [EntryID: Known] = [:]
                    var position: Int64 = 0
                    while true {
                        let last = !writing.flag.withLock { $0 }
                        let limit = Int.random(in: 1...40)
                        let start = position == 0 ? FeedStart.beginning : .after(changeNumber: position)
                        let (entries, latest) = try page(try await store.changes(from: start, limit: limit, of: person.member))
                        for entry in entries {
                            let number = entry.facts.changeNumber
                            if let before = known[entry.facts.id] { #expect(before.number < number && !before.deleted) }
                            #expect(number > position)
                            position = number
                            known[entry.facts.id] = Known(number: number, version: entry.version, deleted: entry.facts.deletedAt != nil)
                        }
                        if entries.count < limit {
                            position = max(position, latest)
                            if last { return known }
                        }
                    }
                }
            }
            group.addTask {
                _ = try await parallel(8) { writer in
                    var generator = SystemRandomNumberGenerator()
                    var mine: [(id: EntryID, version: Int64)] = []
                    for _ in 0..<200 {
                        let at = mine.indices.randomElement(using: &generator)
                        switch Int.random(in: 0..<4) {
                        case 0, 1:
                            let id = EntryID(UUIDv7.make())
                            #expect(try await store.create(person.text(id), by: person.member).name == "created")
                            mine.append((id, 1))
                        case 2:
                            guard let at else { continue }
                            let next = mine[at].version + 1
                            let outcome = try await store.rewritePersonal(
                                PersonalRewrite(
                                    id: mine[at].id, sealed: SealedColumn(bytes: [UInt8(writer)], version: next),
                                    expecting: mine[at].version), keyID: person.keyID, by: person.member)
                            #expect(outcome.name == "written")
                            mine[at].version = next
                        default:
                            guard let at else { continue }
                            #expect(
                                try await store.delete(mine[at].id, expecting: nil, keyID: person.keyID, by: person.member).name
                                    == "written")
                            mine.remove(at: at)
                        }
                    }
                }
                writing.flag.withLock { $0 = false }
                return nil
            }
            var views: [[EntryID: Known]] = []
            for try await view in group { if let view { views.append(view) } }
            return views
        }

        let rows = try await database.superuser.run([
            Statement("select id, change_number, personal_version, deleted_at is not null from entries")
        ]
        )
        var truth: [EntryID: Known] = [:]
        for row in rows[0] {
            truth[EntryID(try row.uuid(0))] = Known(
                number: try row.int(1), version: try row.bool(3) ? 0 : try row.int(2), deleted: try row.bool(3))
        }
        #expect(truth.count > 400)
        #expect(views.count == 4)
        for view in views { #expect(view == truth) }
    }
}
