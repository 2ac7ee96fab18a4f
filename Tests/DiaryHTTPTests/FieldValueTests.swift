import DiaryCore
import FoundationEssentials
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import DiaryHTTP

@Suite("Times, JSON and addresses on the wire") struct WireFormatTests {
    @Test(
        "RFC 3339 times with an offset are read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29T12:00:00z", 951_825_600.0), ("2026-07-04T11:30:00.25+02:00", 1_783_157_400.25),
            ("1969-12-31T23:59:59.5Z", -0.5), ("2016-12-31T23:59:60Z", 1_483_228_800.0), ("2016-12-31T18:59:60-05:00", 1_483_228_800.0),
            ("0001-01-01T00:00:00Z", -62_135_596_800.0), ("9999-12-31T23:59:59Z", 253_402_300_799.0),
            ("2026-01-01t00:00:00.123456789Z", 1_767_225_600.123456789),
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
            "2026-01-01T12:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+1:00",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00Zx", "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01", "+026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z", "2026-01-01T00:00:00,5Z", "10000-01-01T00:00:00Z",
        ])
    func refuses(text: String) {
        #expect(RFC3339.parse(text) == nil)
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
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
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

    @Test(
        "If-Match names a version in its one spelling (RFC 9110, 8.8.3.2)",
        arguments: [
            ("\"1\"", [Int64(1)]), (" \"1\" ,\t\"12\"", [1, 12]), ("\"01\"", []), ("\"+1\"", []), ("\"-0\"", []), ("\" 1\"", []),
            ("\"1 2\"", []), ("W/\"1\"", []),
            ("\"\"", []), ("\"99999999999999999999\"", []), ("\"\u{661}\"", []),
        ])
    func versions(field: String, versions: [Int64]) {
        #expect(EntityTag.condition(field) == .versions(versions))
    }

    @Test("If-Match takes the star alone, and refuses what is no tag")
    func noVersions() {
        #expect(EntityTag.condition(" * ") == .any)
        for bad in ["", " ", ",", "1", "\"", "\"1", "*,*", "\"1\", "] { #expect(EntityTag.condition(bad) == nil, "\(bad)") }
    }

    @Test(
        "a wall clock beyond the last or before the first year is still a date of digits",
        arguments: [(10_000, "9999"), (-44, "0000"), (2026, "2026")])
    func days(year: Int, shown: String) {
        let day = CalendarDay(LocalTime(year: year, month: 1, day: 2, hour: 0, minute: 0, second: 0))
        #expect(String(buffer: JSONWriter.object { $0.member("day", day) }) == "{\"day\":\"\(shown)-01-02\"}")
    }

    @Test("texts of every length, with an escape at every place, come back from a document that had to grow")
    func growing() throws {
        for length in 0..<70 {
            for escape in ["", "\"", "\u{1F}", "\u{2028}", "ä"] {
                let text = String(repeating: "x", count: length) + escape + String(repeating: "y", count: 70 - length)
                let written = JSONWriter.object(capacity: 1) { w in
                    let place = w.member("text", text)
                    w.member("again", again: place)
                    w.array("many", Array(0..<20)) { w, number in w.element("\(number)\(text)") }
                }
                guard case .object(let members) = try JSONParser.parse(Array(buffer: written)) else { throw ParsingFailed() }
                #expect(members["text"] == .string(text) && members["again"] == .string(text))
                #expect(members["many"] == .array((0..<20).map { .string("\($0)\(text)") }))
            }
        }
    }

    private struct ParsingFailed: Error {}

    @Test("what the writer writes is JSON that says the same")
    func writer() throws {
        let hard = "q\"b\\s/\u{0}\u{1}\u{1F}\n\r\t\u{7F}\u{2028}\u{2029}ä€😀\u{FFFF}"
        let written = JSONWriter.object { w in
            w.member("text", hard)
            w.member(JSONName(hard), 1)
            w.member("none", nil as String?)
            w.memberIfPresent("left_out", nil as Int?)
            w.member("wild", Double.nan)
            w.member("number", 0.1)
            w.member("big", Int64.max)
            w.member("empty") { _ in }
            w.member("list", ["a", "b"])
            w.array("objects", [1, 2]) { w, n in w.object { $0.member("n", n) } }
            w.array("nothing", [Int]()) { w, n in w.element(n) }
            w.member("at", Date(timeIntervalSince1970: 0))
            w.member("yes", true)
        }
        let bytes = Array(buffer: written)
        #expect(!bytes.contains { $0 < 0x20 })
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{2028}"))

        let value = try JSONParser.parse(bytes)
        #expect(
            value
                == .object([
                    "text": .string(hard), hard: .number("1"), "none": .null, "wild": .null, "number": .number("0.1"),
                    "big": .number("9223372036854775807"),
                    "empty": .object([:]), "list": .array([.string("a"), .string("b")]),
                    "objects": .array([.object(["n": .number("1")]), .object(["n": .number("2")])]), "nothing": .array([]),
                    "at": .string("1970-01-01T00:00:00.000Z"), "yes": .bool(true),
                ]))
    }

    @Test("the parser takes all of RFC 8259 and nothing else")
    func exactlyJSON() {
        for text in BodyTests.malformed
        where !text.contains("\"a\":1,\"") && !text.hasPrefix("[[") && !text.hasPrefix("\u{FEFF}") && text.utf8.count < 60 {
            #expect((try? JSONParser.parse(Array(text.utf8))) == nil, "\(text)")
        }
        for text in ["{}", "[]", "0", "-0", "-1.5e-3", "\"\"", "\"\\/\\b\\f\\u00e9\"", " [ 1 , true , null ] ", "{\"\":{\"a\":[[]]}}"] {
            #expect((try? JSONParser.parse(Array(text.utf8))) != nil, "\(text)")
        }
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect((try? JSONParser.parse(Array(deep.utf8))) != nil)
    }

    @Test("only trusted proxies may name the client, and IPv6 counts by /64 (F6)")
    func clientAddresses() throws {
        let proxies = try #require(TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]))
        func client(_ peer: String, _ forwarded: String?) throws -> [UInt8] {
            var headers = HTTPFields()
            if let forwarded { headers[try #require(HTTPField.Name("X-Forwarded-For"))] = forwarded }
            return proxies.client(peer: try SocketAddress(ipAddress: peer, port: 1), headers: headers).prefix
        }

        #expect(try client("203.0.113.9", "1.2.3.4") == [203, 0, 113, 9])
        #expect(try client("127.0.0.1", nil) == [127, 0, 0, 1])
        #expect(try client("127.0.0.1", "1.2.3.4") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "6.6.6.6, 1.2.3.4, 10.1.1.1") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "6.6.6.6, junk") == [127, 0, 0, 1])
        #expect(try client("::ffff:127.0.0.1", "1.2.3.4") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "2001:db8:1:2:3:4:5:6") == [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2])
        #expect(try client("fd12::1", "2001:db8::1") == [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0])
        #expect(TrustedProxies(["10.0.0.0/33"]) == nil)
        #expect(TrustedProxies(["host"]) == nil)
        for bad in [
            "", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4.5", ":::", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7",
        ] {
            #expect(IPAddress(bad) == nil, "\(bad)")
        }
    }
}
