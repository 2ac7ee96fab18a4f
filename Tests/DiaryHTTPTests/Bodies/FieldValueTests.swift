import DiaryCore
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import DiaryHTTP

@Suite("Entity tags, days, client addresses") struct FieldValueTests {
    @Test(
        "If-Match names a version in its one spelling (RFC 9110, 8.8.3.2)",
        arguments: [
            ("\"1\"", [Int64(1)]), (" \"1\" ,\t\"12\"", [1, 12]), ("\"01\"", []), ("\"+1\"", []), ("\"-0\"", []), ("\" 1\"", []),
            ("\"1 2\"", []), ("W/\"1\"", [1]), ("\"2\", W/\"1\"", [2, 1]), ("W/\"01\"", []),
            ("\"\"", []), ("\"99999999999999999999\"", []), ("\"\u{661}\"", []),
        ])
    func versions(field: String, versions: [Int64]) {
        #expect(VersionTag.condition(field) == .versions(versions))
    }

    @Test("If-Match accepts the star only by itself, and refuses a text that is no tag")
    func noVersions() {
        #expect(VersionTag.condition(" * ") == .any)
        for bad in ["", " ", ",", "1", "\"", "\"1", "*,*", "\"1\", "] { #expect(VersionTag.condition(bad) == nil, "\(bad)") }
    }

    @Test(
        "a wall clock beyond the last or before the first year is still a date of digits",
        arguments: [(10_000, "9999"), (-44, "0000"), (2026, "2026")])
    func days(year: Int, shown: String) {
        let day = CalendarDay(LocalTime(year: year, month: 1, day: 2, hour: 0, minute: 0, second: 0))
        #expect(String(decoding: JSONWriter.object { $0.member("day", day) }, as: UTF8.self) == "{\"day\":\"\(shown)-01-02\"}")
    }

}
