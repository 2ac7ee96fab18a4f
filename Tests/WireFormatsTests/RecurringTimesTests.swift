import Foundation
import Testing

@testable import WireFormats

@Suite("Times of recurrence rules")
struct RecurringTimesTests {
    private static func zone(_ name: some StringProtocol) throws -> ZoneFile {
        let data = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        return try #require(ZoneFile([UInt8](data)))
    }

    @Test("equal those of Python's dateutil and zoneinfo for 4,000 rules, half of them around a change of the clock")
    func equal() throws {
        let file =
            ProcessInfo.processInfo.environment["DIARY_RECURRENCE_CASES"].map { URL(filePath: $0) }
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "recurrence-cases.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count >= 4_000)
        var zones: [Substring: ZoneFile] = [:]
        var wrong: [String] = []
        for line in lines {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            try #require(parts.count == 6)
            let zone = try zones[parts[3]] ?? Self.zone(parts[3])
            zones[parts[3]] = zone
            let clock = parts[2].split(separator: ":").compactMap { Int($0) }
            let rule = try RecurrenceRule(parts[0])
            let times = RecurringTimes(
                rule, start: try #require(GregorianDay(parts[1])), hour: try #require(clock.first), minute: try #require(clock.last),
                zone: zone)
            let expected = parts[5].split(separator: " ")

            var found = times.times(after: try #require(Int(parts[4]))).prefix(expected.count).map { String($0) }
            if found.count < expected.count { found.append("-") }

            // One expectation for all: each costs more than its case.
            if try found != expected.map({ String($0) }) || RecurrenceRule(rule.description) != rule { wrong.append("\(line): \(found)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(lines.count), first: \(wrong.first ?? "")")
    }

    @Test(
        "in an hour that is left out the clock's new time counts, and of one that is shown twice the first",
        arguments: [
            ("2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"), ("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
            ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"), ("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
        ])
    func changes(_ after: String, _ expected: String) throws {
        let times = RecurringTimes(
            RecurrenceRule(.daily), start: try #require(GregorianDay("2026-01-01")), hour: 2, minute: 30,
            zone: try Self.zone("Europe/Berlin"))
        let time = try #require(RFC3339.parse(after))
        let next = try #require(times.next(after: Int(time.timeIntervalSince1970)))
        #expect(next == Int(try #require(RFC3339.parse(expected)).timeIntervalSince1970))
    }

    @Test("a rule ends with its count, with its last day or time, and where it names a day that no calendar has")
    func ends() throws {
        let zone = try Self.zone("Europe/Berlin")
        let start = try #require(GregorianDay("2026-01-31"))
        func times(_ text: String) throws -> [Int] {
            Array(RecurringTimes(try RecurrenceRule(text), start: start, hour: 9, minute: 0, zone: zone).times(after: 0).prefix(9))
        }
        #expect(try times("FREQ=DAILY;COUNT=3").count == 3)
        #expect(try times("FREQ=DAILY;UNTIL=20260202").count == 3)
        #expect(try times("FREQ=DAILY;UNTIL=20260202T080000Z").count == 3)
        #expect(try times("FREQ=DAILY;UNTIL=20260202T075959Z").count == 2)
        #expect(try times("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").isEmpty)
        #expect(try times("FREQ=MONTHLY").map { GregorianDay(daysSince1970: $0 / 86_400).month } == [1, 3, 5, 7, 8, 10, 12, 1, 3])
    }

    @Test("several days of the week may have a number or none")
    func mixedWeekdays() throws {
        let start = try #require(GregorianDay("2026-11-01"))
        var days = RecurrenceDays(try RecurrenceRule("FREQ=MONTHLY;BYDAY=MO,-1FR"), start: start, from: start)
        #expect((0..<7).compactMap { _ in days.next()?.day } == [2, 9, 16, 23, 27, 30, 7])
    }
}

@Suite("Recurrence rules as text")
struct RecurrenceRuleTests {
    @Test(
        "are read in any case and written in one form",
        arguments: [
            ("freq=weekly;byday=mo", "FREQ=WEEKLY;BYDAY=MO"),
            ("BYDAY=-1FR,MO;INTERVAL=1;FREQ=MONTHLY;WKST=MO", "FREQ=MONTHLY;BYDAY=-1FR,MO"),
            ("FREQ=YEARLY;BYMONTHDAY=15,-1,15;BYMONTH=12,1;UNTIL=20301231", "FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=-1,15;UNTIL=20301231"),
            ("FREQ=DAILY;UNTIL=20301231T010203Z", "FREQ=DAILY;UNTIL=20301231T010203Z"),
            ("FREQ=WEEKLY;INTERVAL=2;COUNT=10;WKST=SU", "FREQ=WEEKLY;INTERVAL=2;COUNT=10;WKST=SU"),
        ])
    func forms(_ text: String, _ written: String) throws {
        #expect(try RecurrenceRule(text).description == written)
    }

    @Test(
        "are refused by the name of the part that is not taken",
        arguments: [
            ("FREQ=WEEKLY;BYSETPOS=1", "BYSETPOS"), ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO"), ("FREQ=YEARLY;BYYEARDAY=1", "BYYEARDAY"),
            ("FREQ=DAILY;BYHOUR=6", "hour and minute"), ("FREQ=HOURLY", "FREQ"), ("INTERVAL=2", "FREQ"), ("FREQ=DAILY;FREQ=DAILY", "twice"),
            ("FREQ=DAILY;INTERVAL=0", "INTERVAL"), ("FREQ=DAILY;INTERVAL=1001", "INTERVAL"), ("FREQ=DAILY;INTERVAL=+1", "INTERVAL"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"), ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"), ("FREQ=DAILY;BYMONTH=13", "BYMONTH"),
            ("FREQ=DAILY;BYMONTH=1,", "BYMONTH"), ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"), ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY"),
            ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY"), ("FREQ=MONTHLY;BYDAY=54MO", "BYDAY"), ("FREQ=MONTHLY;BYDAY=XX", "BYDAY"),
            ("FREQ=DAILY;COUNT=0", "COUNT"), ("FREQ=DAILY;COUNT=1001", "COUNT"), ("FREQ=DAILY;COUNT=1;UNTIL=20260101", "both"),
            ("FREQ=DAILY;UNTIL=20260230", "UNTIL"), ("FREQ=DAILY;UNTIL=20260101T010203", "UNTIL"), ("FREQ=DAILY;WKST=X", "WKST"),
            ("", "NAME=VALUE"), ("FREQ", "NAME=VALUE"), ("FREQ=DAILY;", "NAME=VALUE"), ("RRULE:FREQ=DAILY", "NAME=VALUE"),
            ("FREQ=DAILY;X-ÄÖ=1", "NAME=VALUE"), ("FREQ=DAILY;BYDAY=\u{1F600}", "BYDAY"),
        ])
    func refusals(_ text: String, _ name: String) {
        #expect { try RecurrenceRule(text) } throws: { error in (error as? RecurrenceRuleError)?.reason.contains(name) == true }
    }
}
