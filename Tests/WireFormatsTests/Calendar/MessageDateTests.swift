import FoundationEssentials
import Testing
import WireFormats

@Suite("Dates of HTTP and mail")
struct MessageDateTests {
    @Test(
        "an instant is written in English and UTC",
        arguments: [
            (784_111_777.0, "Sun, 06 Nov 1994 08:49:37"), (0, "Thu, 01 Jan 1970 00:00:00"), (-0.5, "Wed, 31 Dec 1969 23:59:59"),
            (1_772_281_858.9, "Sat, 28 Feb 2026 12:30:58"), (1e300, "Fri, 31 Dec 9999 23:59:59"), (-1e300, "Mon, 01 Jan 0001 00:00:00"),
        ])
    func written(seconds: Double, text: String) {
        let date = Date(timeIntervalSince1970: seconds)

        #expect(HTTPDate.text(date) == text + " GMT")
        #expect(MailDate.text(date) == text + " +0000")
    }

    @Test("HTTP's form is read", arguments: [784_111_777.0, 0, -1, 1_772_281_858, 253_402_300_799, -62_135_596_800])
    func read(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(HTTPDate.date(HTTPDate.text(date)) == date)
    }

    @Test(
        "and no other form",
        arguments: [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 99999 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
