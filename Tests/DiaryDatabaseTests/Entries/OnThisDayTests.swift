import Foundation
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("A day of all years", .timeLimit(.minutes(2)))
struct OnThisDayTests {
    private struct Scene {
        let person: Person
        let entries: PostgresEntryStore
        let profiles: PostgresProfileStore

        static func make() async throws -> Scene {
            let database = try await MigratedDatabase.shared()
            let pool = try database.pool(.api)
            return Scene(
                person: try await Person.make(in: database), entries: PostgresEntryStore(pool: pool),
                profiles: PostgresProfileStore(pool: pool))
        }

        func create(_ times: String...) async throws {
            for time in times { _ = try await entries.create(person.text(at: try instant(time), zone: "UTC"), by: person.member) }
        }

        func days(_ day: String?, now: String = "2026-07-04T12:00:00Z", limit: Int = 50) async throws -> [String] {
            var (found, after): ([String], DatePosition?) = ([], nil)
            while true {
                let query = OnThisDayQuery(
                    day: day.flatMap { DayOfYear($0) }, now: try instant(now), after: after, limit: limit)
                let page = try await entries.onThisDay(query, of: person.member)
                found += page.map(\.facts.day.description)
                guard page.more, let last = page.last?.facts else { return found }
                after = DatePosition(recordedAt: last.recordedAt, id: last.id)
            }
        }
    }

    @Test("every year's entries of the day come newest first, in pages without a gap, and no other day's")
    func years() async throws {
        let scene = try await Scene.make()
        try await scene.create(
            "1999-07-04T12:00:00Z", "2024-07-03T23:59:59Z", "2024-07-04T00:00:00Z", "2024-07-04T23:59:59Z", "2025-07-05T00:00:00Z",
            "2026-07-04T09:00:00Z")

        let expected = ["2026-07-04", "2024-07-04", "2024-07-04", "1999-07-04"]
        #expect(try await scene.days("07-04") == expected)
        #expect(try await scene.days("07-04", limit: 1) == expected)
        #expect(try await scene.days(nil) == expected)
        #expect(try await scene.days("01-01").isEmpty)
    }

    @Test("29 February is a day of leap years; where it is missing, the 28th has it too")
    func leapDays() async throws {
        let scene = try await Scene.make()
        try await scene.create("2020-02-29T12:00:00Z", "2023-02-28T12:00:00Z", "2024-02-28T12:00:00Z", "2024-02-29T12:00:00Z")

        #expect(try await scene.days("02-29") == ["2024-02-29", "2020-02-29"])
        #expect(try await scene.days("02-28") == ["2024-02-28", "2023-02-28"])
        #expect(try await scene.days(nil, now: "2028-02-28T12:00:00Z") == ["2024-02-28", "2023-02-28"])
        #expect(try await scene.days(nil, now: "2027-02-28T12:00:00Z") == ["2024-02-29", "2024-02-28", "2023-02-28", "2020-02-29"])
        #expect(try await scene.days(nil, now: "2027-03-01T12:00:00Z").isEmpty)
    }

    @Test("today is the member's, by their zone and the end of their day")
    func today() async throws {
        let scene = try await Scene.make()
        try await scene.create("2024-07-04T12:00:00Z", "2024-07-05T12:00:00Z")
        let patch = ProfilePatch(timeZone: "Asia/Tokyo", dayEndsMinute: 180)
        _ = try await scene.profiles.change(
            StoredProfilePatch(nameSealed: .absent, rest: patch), matching: nil, keyID: nil, by: scene.person.member)

        #expect(try await scene.days(nil, now: "2026-07-04T17:59:00Z") == ["2024-07-04"])
        #expect(try await scene.days(nil, now: "2026-07-04T18:00:00Z") == ["2024-07-05"])
    }

    @Test(
        "a day of the year is two digits, a hyphen and two digits of the calendar",
        arguments: ["2-29", "02-30", "13-01", "00-10", "0229", ""])
    func forms(text: String) { #expect(DayOfYear(text) == nil) }

    @Test("a streak ends with today or yesterday; the longest is of any time")
    func streak() async throws {
        let scene = try await Scene.make()
        try await scene.create(
            "2025-01-01T12:00:00Z", "2025-01-02T12:00:00Z", "2025-01-03T12:00:00Z", "2025-01-03T13:00:00Z", "2025-01-05T12:00:00Z",
            "2025-01-06T12:00:00Z")
        func streak(_ now: String) async throws -> AccountStatistics.Streak {
            try await scene.profiles.statistics(of: scene.person.member, at: try instant(now)).streak
        }

        #expect(try await streak("2025-01-02T12:00:00Z") == .init(current: 2, longest: 3))
        #expect(try await streak("2025-01-04T12:00:00Z") == .init(current: 3, longest: 3))
        #expect(try await streak("2025-01-07T22:59:59Z") == .init(current: 2, longest: 3))
        #expect(try await streak("2025-01-07T23:00:00Z") == .init(current: 0, longest: 3))
        #expect(try await streak("2024-12-31T12:00:00Z") == .init(current: 0, longest: 3))
    }
}

private func instant(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
