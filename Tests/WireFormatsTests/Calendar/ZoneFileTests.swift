import Foundation
import Testing

@testable import WireFormats

@Suite("Files of the zone database")
struct ZoneFileTests {
    private static func zone(_ name: String) throws -> ZoneFile {
        let data = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        return try #require(ZoneFile([UInt8](data)))
    }

    @Test(
        "give the offset of a time, also past their last change",
        arguments: [
            ("Europe/Berlin", "2026-11-22T20:15:00Z", 3600), ("Europe/Berlin", "2026-07-01T00:00:00Z", 7200),
            ("Europe/Berlin", "2026-03-29T00:59:59Z", 3600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200),
            ("Europe/Berlin", "2026-10-25T00:59:59Z", 7200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
            ("Europe/Berlin", "2101-07-01T12:00:00Z", 7200), ("Europe/Berlin", "2101-12-01T12:00:00Z", 3600),
            ("Europe/Berlin", "1880-01-01T00:00:00Z", 3208), ("America/New_York", "2099-03-08T06:59:59Z", -18000),
            ("America/New_York", "2099-03-08T07:00:00Z", -14400), ("Asia/Kolkata", "2026-01-01T00:00:00Z", 19800),
            ("Australia/Lord_Howe", "2099-01-01T00:00:00Z", 39600), ("Australia/Lord_Howe", "2099-07-01T00:00:00Z", 37800),
            ("Europe/Dublin", "2099-01-01T00:00:00Z", 0), ("Europe/Dublin", "2099-07-01T00:00:00Z", 3600),
            ("UTC", "2026-01-01T00:00:00Z", 0), ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18000),
        ])
    func offsets(_ name: String, _ time: String, _ offset: Int) throws {
        let date = try #require(RFC3339.parse(time))
        #expect(try Self.zone(name).offset(at: Int(date.timeIntervalSince1970)) == offset)
    }

    @Test(
        "a rule is read in every form of POSIX",
        arguments: [
            ("UTC0", 0, 0), ("<+0530>-5:30", 19800, 19800), ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200),
            ("EST5EDT,M3.2.0,M11.1.0", -18000, -14400),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
            ("AAA0BBB-2:00:30,J60/0,J300/0", 0, 7230), ("AAA0BBB,59/0,299/0", 0, 3600), ("AAA0BBB,M10.1.0,M4.1.0/3", 3600, 0),
        ])
    func rules(_ text: String, _ january: Int, _ july: Int) throws {
        let rule = try #require(ZoneRule(text))
        // 2099-01-15 and 2099-07-15.
        #expect(rule.offset(at: 4_072_118_400) == january && rule.offset(at: 4_087_756_800) == july)
    }

    @Test(
        "a rule that is none is refused",
        arguments: [
            "", "CET", "CE-1", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-168", "<CET-1", "CET-1x",
            "CET-1CEST,J0,J1",
        ])
    func noRules(_ text: String) {
        #expect(ZoneRule(text) == nil)
    }

    @Test("damaged and cut bytes are no file")
    func damaged() throws {
        let good = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))

        #expect(
            ZoneFile([]) == nil && ZoneFile(Array("TZif2".utf8)) == nil
                && ZoneFile(Array("TZif".utf8) + [UInt8](repeating: 0xFF, count: 60)) == nil)
        for count in stride(from: 0, to: good.count - 100, by: 7) { #expect(ZoneFile(Array(good.prefix(count))) == nil) }
    }
}
