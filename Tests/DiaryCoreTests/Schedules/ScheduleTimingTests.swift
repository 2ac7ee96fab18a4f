import Foundation
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Times of schedules")
struct ScheduleTimingTests {
    private static let (half, six) = (2 * 60 + 30, 6 * 60)

    private static func date(_ text: String) throws -> Date { try #require(RFC3339.parse(text)) }

    @Test(
        "at a time of day that the clock leaves out they are when it is put on, and of one that it shows twice the first",
        arguments: [
            ("2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"), ("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
            ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"), ("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
            // Between the two: what was due is not due again.
            ("2026-10-25T01:15:00Z", "2026-10-26T01:30:00Z"),
        ])
    func changesOfTheClock(_ after: String, _ next: String) throws {
        let timing = ScheduleTiming(every: .day, weekday: nil, day: nil, month: nil, minute: Self.half, timeZone: "Europe/Berlin")
        #expect(timing.next(after: try Self.date(after)) == (try Self.date(next)))
    }

    @Test("on a day that a month does not have they are on its last")
    func shortMonths() throws {
        let timing = ScheduleTiming(every: .month, weekday: nil, day: 31, month: nil, minute: Self.half, timeZone: "Europe/Berlin")
        var (time, days): (Date, [String]) = (try Self.date("2026-12-31T12:00:00Z"), [])
        for _ in 0..<12 {
            time = try #require(timing.next(after: time))
            days.append(String(RFC3339.text(time).prefix(16)))
        }
        #expect(
            days == [
                "2027-01-31T01:30", "2027-02-28T01:30", "2027-03-31T00:30", "2027-04-30T00:30", "2027-05-31T00:30", "2027-06-30T00:30",
                "2027-07-31T00:30", "2027-08-31T00:30", "2027-09-30T00:30", "2027-10-31T00:30", "2027-11-30T01:30", "2027-12-31T01:30",
            ])
    }

    @Test(
        "are the first after another time",
        arguments: [
            (.week, .tuesday, nil, nil, "2026-11-24T05:00:00Z", "2026-12-01T05:00:00Z"),
            (.week, .tuesday, nil, nil, "2026-11-24T04:59:59Z", "2026-11-24T05:00:00Z"),
            (.month, nil, 1, nil, "2026-12-31T12:00:00Z", "2027-01-01T05:00:00Z"),
            (.year, nil, 29, 2, "2026-03-01T12:00:00Z", "2027-02-28T05:00:00Z"),
            (.year, nil, 29, 2, "2027-03-01T12:00:00Z", "2028-02-29T05:00:00Z"),
            (.year, nil, 1, 5, "2026-05-01T04:00:00Z", "2027-05-01T04:00:00Z"),
        ] as [(ScheduleTiming.Every, ScheduleTiming.Weekday?, Int?, Int?, String, String)])
    func next(
        _ every: ScheduleTiming.Every, _ weekday: ScheduleTiming.Weekday?, _ day: Int?, _ month: Int?, _ after: String, _ next: String
    ) throws {
        let timing = ScheduleTiming(
            every: every, weekday: weekday, day: day, month: month, minute: Self.six, timeZone: "Europe/Berlin")
        #expect(timing.next(after: try Self.date(after)) == (try Self.date(next)))
    }

    @Test(
        "around each change of the clock they are the first minute at which it shows the time of day or a later one",
        arguments: [
            "Europe/Berlin", "Europe/Lisbon", "America/New_York", "America/St_Johns", "America/Havana", "Africa/Casablanca",
            "Australia/Lord_Howe", "Pacific/Chatham", "Asia/Kolkata",
        ])
    func firstMinutes(_ name: String) throws {
        let zone = try #require(ZoneDatabase.system.zone(name))
        let days = Set((20_089..<20_819).filter { zone.offset(at: $0 * 86_400) != zone.offset(at: ($0 + 1) * 86_400) })
        var wrong: [String] = []
        for day in Set(days.flatMap { [$0 - 1, $0, $0 + 1] }).sorted() + [20_454] {
            for minute in [0, 1, 60, 90, 119, 120, 150, 180, 210, 1_439] {
                let local = day * 86_400 + minute * 60
                let offsets = [zone.offset(at: local - 129_600), zone.offset(at: local + 129_600)]
                let earliest = local - (offsets.max() ?? 0)
                let first = (0...300).map { earliest + $0 * 60 }.first { $0 + zone.offset(at: $0) >= local }
                let timing = ScheduleTiming(every: .day, weekday: nil, day: nil, month: nil, minute: minute, timeZone: name)
                let before = Date(timeIntervalSince1970: Double(try #require(first) - 1))

                let next = timing.next(after: before).map { Int($0.timeIntervalSince1970) }

                if next != first { wrong.append("\(GregorianDay(daysSince1970: day)) \(minute): \(next ?? 0)") }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("are none in a zone that the database does not have")
    func noZone() {
        let timing = ScheduleTiming(every: .day, weekday: nil, day: nil, month: nil, minute: 0, timeZone: "Mars/Base")
        #expect(timing.next(after: .now) == nil)
    }
}
