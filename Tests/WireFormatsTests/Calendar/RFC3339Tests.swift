import FoundationEssentials
import Testing
import WireFormats

@Suite("RFC 3339 times")
struct RFC3339Tests {
    @Test(
        "RFC 3339 times with an offset are read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29T12:00:00z", 951_825_600.0), ("2026-07-04T11:30:00.25+02:00", 1_783_157_400.25),
            ("1969-12-31T23:59:59.5Z", -0.5), ("2016-12-31T23:59:60Z", 1_483_228_800.0), ("2016-12-31T18:59:60-05:00", 1_483_228_800.0),
            ("0001-01-01T00:00:00Z", -62_135_596_800.0), ("9999-12-31T23:59:59Z", 253_402_300_799.0),
            ("2026-01-01t00:00:00.123456789Z", 1_767_225_600.123456789),
            ("2026-01-01T00:00:00.1234567890Z", 1_767_225_600.123456789),
            ("2026-01-01T01:00:00.\(String(repeating: "3", count: 1_000))+01:00", 1_767_225_600.333333333),
            ("2026-01-01T00:00:00-00:00", 1_767_225_600.0), ("2026-01-01T23:59:59+23:59", 1_767_225_659.0),
        ])
    func reads(text: String, seconds: Double) throws {
        let date = try #require(RFC3339.parse(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(
        "anything else is not a time",
        arguments: [
            "", "now", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-1-1T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:61Z",
            "2026-01-01T12:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890", "2026-01-01T00:00:00.1234567890x",
            "2026-01-01T00:00:00+1:00",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00Zx", "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01", "+026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z", "2026-01-01T00:00:00,5Z", "10000-01-01T00:00:00Z",
        ])
    func refuses(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }

    @Test(
        "the exact text has the database's microseconds, and milliseconds where there are no more",
        arguments: [
            ("2026-07-04T09:30:00.25Z", "2026-07-04T09:30:00.250Z"), ("2026-07-04T09:30:00.250123Z", "2026-07-04T09:30:00.250123Z"),
            ("2026-07-04T09:30:00.999999Z", "2026-07-04T09:30:00.999999Z"), ("1969-12-31T23:59:59.000001Z", "1969-12-31T23:59:59.000001Z"),
            ("2026-07-04T09:30:00.0999999Z", "2026-07-04T09:30:00.100Z"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ])
    func exact(given: String, shown: String) throws {
        let text = RFC3339.exactText(try #require(RFC3339.parse(given)))
        #expect(text == shown)
        #expect(RFC3339.exactText(try #require(RFC3339.parse(text))) == shown)
    }

    @Test("what is written is read back to the millisecond, over all years")
    func roundTrip() throws {
        var state: UInt64 = 42
        for _ in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let milliseconds = Int64(state >> 1) % 315_537_897_600_000 - 62_135_596_800_000
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let text = RFC3339.text(date)
            let back = try #require(RFC3339.parse(text), "\(text)")
            #expect(abs(back.timeIntervalSince(date)) < 0.000_6, "\(text)")
        }
        #expect(RFC3339.text(Date(timeIntervalSince1970: 1_700_000_000.123)) == "2023-11-14T22:13:20.123Z")
        #expect(RFC3339.text(Date(timeIntervalSince1970: .infinity)).count == 24)
        #expect(RFC3339.text(Date(timeIntervalSince1970: 1e300)) == "9999-12-31T23:59:59.999Z")
    }

    @Test(
        "a time is cut to milliseconds, never shown as a later one",
        arguments: [
            ("2199-12-31T23:59:59.999999Z", "2199-12-31T23:59:59.999Z"), ("2026-12-31T23:59:59.9996Z", "2026-12-31T23:59:59.999Z"),
            ("2026-01-01T00:00:00.100Z", "2026-01-01T00:00:00.100Z"), ("2026-01-01T00:00:00.1009Z", "2026-01-01T00:00:00.100Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999Z"), ("1969-12-31T23:59:59.0001Z", "1969-12-31T23:59:59.000Z"),
            ("1900-01-01T00:00:00.000001Z", "1900-01-01T00:00:00.000Z"), ("1899-12-31T23:59:59.999999Z", "1899-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ])
    func cut(given: String, shown: String) throws {
        #expect(RFC3339.text(try #require(RFC3339.parse(given))) == shown)
    }

    @Test(
        "every millisecond of a second is written as it was read",
        arguments: ["1900-01-01T00:00:00", "1969-12-31T23:59:59", "2026-07-04T09:30:00", "2199-12-31T23:59:59"])
    func milliseconds(second: String) throws {
        for millisecond in 0..<1000 {
            let text = "\(second).\(String(String(1000 + millisecond).dropFirst()))Z"
            #expect(RFC3339.text(try #require(RFC3339.parse(text))) == text)
        }
    }
}
