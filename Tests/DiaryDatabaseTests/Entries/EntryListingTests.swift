import DiaryCore
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Entries by date", .timeLimit(.minutes(2)))
struct EntryListingTests {
    private func walk(_ store: PostgresEntryStore, _ member: Member, _ order: DateOrder, page: Int) async throws -> [EntryID] {
        var ids: [EntryID] = []
        var after: EntryPosition?
        while true {
            let entries = try await store.list(DateQuery(from: nil, to: nil, order: order, after: after, limit: page), of: member)
            ids += entries.map(\.facts.id)
            guard let last = entries.last, entries.count == page else { return ids }
            after = EntryPosition(of: last.facts, in: .recordedAt)
        }
    }

    @Test("a page ends at about 2 MiB of text, and the next one continues where it ended (F7)")
    func longEntries() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        for number in 0..<9 {
            var entry = person.text(at: Date(timeIntervalSince1970: 1_780_000_000 + Double(number)))
            entry.personal = [UInt8](repeating: 7, count: 600_000)
            _ = try await store.create(entry, by: person.member)
        }

        var sizes: [Int] = []
        var after: EntryPosition?
        while true {
            let page = try await store.list(DateQuery(from: nil, to: nil, order: .oldestFirst, after: after, limit: 50), of: person.member)
            sizes.append(page.count)
            guard page.more, let last = page.last else { break }
            after = EntryPosition(of: last.facts, in: .recordedAt)
        }

        #expect(sizes == [4, 4, 1])
    }

    @Test("both orders return every entry once, also when many have the same time to the microsecond", arguments: [1, 2, 3, 7, 100])
    func equalTimes(page: Int) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let times = [1_780_000_000.000001, 1_780_000_000.000002, 1_780_000_000.999999]
        let made = try await parallel(24) { number in
            let entry = person.text(at: Date(timeIntervalSince1970: times[number % 3]))
            _ = try await store.create(entry, by: person.member)
            return (time: times[number % 3], id: entry.id)
        }
        let gone = person.text(at: Date(timeIntervalSince1970: times[1]))
        _ = try await store.create(gone, by: person.member)
        _ = try await store.delete(gone.id, expecting: nil, keyID: person.keyID, by: person.member)
        let expected = made.sorted { ($0.time, $0.id.description) < ($1.time, $1.id.description) }.map(\.id)

        #expect(try await walk(store, person.member, .oldestFirst, page: page) == expected)
        #expect(try await walk(store, person.member, .newestFirst, page: page) == expected.reversed())
    }

    @Test("days are those of the recording's own wall clock, inclusive")
    func days() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        // 23:59:59.9 and 00:00 in Berlin; the first is already the next day in Apia's clock.
        let evening = person.text(at: Date(timeIntervalSince1970: 1_780_005_599.9), zone: "Europe/Berlin")
        let midnight = person.text(at: Date(timeIntervalSince1970: 1_780_005_600), zone: "Europe/Berlin")
        let apia = person.text(at: Date(timeIntervalSince1970: 1_780_005_599.9), zone: "Pacific/Apia")
        for entry in [evening, midnight, apia] { _ = try await store.create(entry, by: person.member) }
        func ids(_ from: String?, _ to: String?) async throws -> Set<EntryID> {
            let query = DateQuery(from: try from.map(day), to: try to.map(day), order: .oldestFirst, after: nil, limit: 10)
            return Set(try await store.list(query, of: person.member).map(\.facts.id))
        }

        #expect(try await ids("2026-05-28", "2026-05-28") == [evening.id])
        #expect(try await ids("2026-05-29", "2026-05-29") == [midnight.id, apia.id])
        #expect(try await ids(nil, "2026-05-28") == [evening.id])
        #expect(try await ids("2026-05-29", nil) == [midnight.id, apia.id])
        #expect(try await ids("2026-05-29", "2026-05-28").isEmpty)
        #expect(try await ids("0001-01-01", "9999-12-31").count == 3)
    }
}
