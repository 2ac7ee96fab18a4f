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
        #expect(String(decoding: JSONWriter.object { $0.member("day", day) }, as: UTF8.self) == "{\"day\":\"\(shown)-01-02\"}")
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
