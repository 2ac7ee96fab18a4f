import Testing
import WireFormats

@Suite("Days of the Gregorian calendar")
struct GregorianDayTests {
    @Test("every day of 400 years around 1970 and 2000 has its count, and the next day the next")
    func counts() throws {
        var previous = try #require(GregorianDay("1799-12-31"))
        for count in (previous.daysSince1970 + 1)...(previous.daysSince1970 + 146_097) {
            let day = GregorianDay(daysSince1970: count)
            let isNextDay = day.month == previous.month && day.day == previous.day + 1
            let isNextMonth = day.month == previous.month % 12 + 1 && day.day == 1 && previous.day >= 28
            guard day.daysSince1970 == count, isNextDay || isNextMonth,
                GregorianDay(year: day.year, month: day.month, day: day.day) == day
            else {
                Issue.record("\(day) after \(previous)")
                return
            }
            previous = day
        }
        #expect(previous.description == "2199-12-31")
    }

    @Test(
        "known days",
        arguments: [
            ("1970-01-01", 0, 4), ("2000-02-29", 11_016, 2), ("2000-03-01", 11_017, 3), ("1900-03-01", -25_508, 4), ("1969-12-31", -1, 3),
            ("0001-01-01", -719_162, 1), ("9999-12-31", 2_932_896, 5), ("1994-11-06", 9_075, 0),
        ])
    func known(text: String, count: Int, weekday: Int) throws {
        let day = try #require(GregorianDay(text))

        #expect(day.daysSince1970 == count && day.weekday == weekday && day.description == text)
        #expect(GregorianDay(daysSince1970: count) == day)
    }

    @Test(
        "what is no day is refused",
        arguments: [
            "", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-04-31", "0000-01-01", "2026-1-1", "2026-01-01 ",
            " 2026-01-01", "20260101", "2026/01/01", "+026-01-01", "２０２６-01-01", "10000-01-01", "2026-01-01T00:00:00Z",
        ])
    func refused(text: String) {
        #expect(GregorianDay(text) == nil)
    }

    @Test("days before the year 0 and after 9999 have counts too")
    func beyond() {
        let last = GregorianDay(daysSince1970: -719_529)
        #expect(last.year == -1 && last.month == 12 && last.day == 31 && last.daysSince1970 == -719_529)
        #expect(GregorianDay(daysSince1970: 2_932_897).description == "10000-01-01")
        #expect(GregorianDay(daysSince1970: -107_000_000).daysSince1970 == -107_000_000)
    }
}
