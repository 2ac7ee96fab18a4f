import Foundation
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Days and times as people write them")
struct ReadableDatesTests {
    private static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @Test(
        "a range names what its days share once, and one day is one day",
        arguments: [
            ("2026-11-22", "2026-11-22", "22 November 2026", "November 22, 2026"),
            ("2026-07-01", "2026-07-31", "1 to 31 July 2026", "July 1 to 31, 2026"),
            ("2026-06-28", "2026-07-03", "28 June to 3 July 2026", "June 28 to July 3, 2026"),
            ("2025-12-30", "2026-01-02", "30 December 2025 to 2 January 2026", "December 30, 2025 to January 2, 2026"),
            ("2025-01-01", "2026-01-31", "1 January 2025 to 31 January 2026", "January 1, 2025 to January 31, 2026"),
            ("0001-01-01", "9999-12-31", "all days", "all days"),
            ("0001-01-01", "2026-07-31", "until 31 July 2026", "until July 31, 2026"),
            ("2026-07-01", "9999-12-31", "since 1 July 2026", "since July 1, 2026"),
        ])
    func days(_ from: String, _ to: String, _ text: String, _ american: String) throws {
        let (from, to) = (try Self.day(from), try Self.day(to))

        #expect(ReadableDates(locale: "de-DE").text(from, to: to) == text)
        #expect(ReadableDates(locale: "en-US").text(from, to: to) == american)
    }

    @Test(
        "a time is that of the zone, to the minute, and names the place",
        arguments: [
            (nil, "Europe/Berlin", "23 November 2026, 20:15 (Berlin time)"),
            ("de", "Europe/Berlin", "23 November 2026, 20:15 (Berlin time)"),
            ("en-US", "America/Los_Angeles", "November 23, 2026, 11:15 AM (Los Angeles time)"),
            ("en", "America/New_York", "November 23, 2026, 2:15 PM (New York time)"),
            ("en-GB", "Europe/London", "23 November 2026, 19:15 (London time)"),
            ("en-AU", "Australia/Sydney", "24 November 2026, 6:15 AM (Sydney time)"),
            ("zh-Hans-CN", "Asia/Shanghai", "24 November 2026, 03:15 (Shanghai time)"),
            ("es-US", "UTC", "November 23, 2026, 7:15 PM (UTC)"),
            ("de", "Etc/GMT-5", "24 November 2026, 00:15 (UTC+5)"), ("de", "Mars/Olympus", "23 November 2026, 19:15 (UTC)"),
            ("de", "../../../etc/passwd", "23 November 2026, 19:15 (UTC)"), ("de", "", "23 November 2026, 19:15 (UTC)"),
        ])
    func times(_ locale: String?, _ zone: String, _ text: String) throws {
        let date = try #require(RFC3339.parse("2026-11-23T19:15:55.535Z"))
        #expect(ReadableDates(locale: locale).text(date, in: zone) == text)
    }

    @Test("noon and midnight are 12 on a clock of twelve hours")
    func twelve() throws {
        let dates = ReadableDates(locale: "en-US")
        #expect(dates.text(try #require(RFC3339.parse("2026-01-01T00:05:00Z")), in: "UTC") == "January 1, 2026, 12:05 AM (UTC)")
        #expect(dates.text(try #require(RFC3339.parse("2026-01-01T12:05:00Z")), in: "UTC") == "January 1, 2026, 12:05 PM (UTC)")
    }
}
