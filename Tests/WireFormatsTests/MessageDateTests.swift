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
}
