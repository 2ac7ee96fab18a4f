import Foundation
import Testing

@testable import WireFormats

@Suite("Retry-After")
struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC, the example of RFC 9110.
    static let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "is seconds or a date",
        arguments: [
            ("0", 0.0), ("7", 7), ("2.5", 2.5), (" 12 ", 12), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
            ("999999999", 86_400), ("Mon, 06 Nov 2094 08:49:37 GMT", 86_400),
        ])
    func read(field: String, seconds: Double) {
        #expect(RetryAfter.seconds(field, at: Self.now) == seconds)
    }

    @Test(
        "and nothing else", arguments: ["", "soon", "-", "nan", "inf", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT"])
    func refused(field: String) {
        #expect(RetryAfter.seconds(field, at: Self.now) == nil)
    }

    @Test("a negative number is no wait")
    func negative() {
        #expect(RetryAfter.seconds("-5", at: Self.now) == 0)
    }
}
