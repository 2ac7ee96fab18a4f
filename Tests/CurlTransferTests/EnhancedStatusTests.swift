import Testing

@testable import CurlTransfer

@Suite("Enhanced status codes of mail servers")
struct EnhancedStatusTests {
    @Test(
        "the code after a reply's number, with or without a text",
        arguments: [
            ("550 5.7.1 no relay\r\n", "5.7.1"), ("550 5.7.1\r\n", "5.7.1"), ("553-5.1.8 one", "5.1.8"), ("550 5.7.509 long", "5.7.509"),
            ("451 4.7.0 later", "4.7.0"),
        ])
    func read(line: String, code: String) { #expect(EnhancedStatus(reply: Array(line.utf8))?.description == code) }

    @Test(
        "anything else is none",
        arguments: [
            "", "550", "550 ", "550 never", "550  5.7.1 two spaces", "550 5.7", "550 5.7.1.1 four", "550 5..1", "550 5.7.1000", "550 3.7.1",
            "550 5.7.x", "550 99999999999999999999.7.1", "550 5.7.١",
        ])
    func none(line: String) { #expect(EnhancedStatus(reply: Array(line.utf8)) == nil) }

    @Test("what the sender may not do, and what the recipient or the mail is")
    func sender() {
        func isAboutSender(_ code: String) -> Bool? { EnhancedStatus(reply: Array("550 \(code)".utf8))?.isAboutSender }
        for code in ["5.7.8", "5.7.26", "5.7.64", "5.7.509", "5.1.7", "5.1.8", "5.4.5"] { #expect(isAboutSender(code) == true, "\(code)") }
        for code in ["5.1.1", "5.1.10", "5.2.1", "5.2.2", "5.3.4", "5.4.4", "5.5.0", "5.6.0", "5.7.1", "5.7.17", "5.7.133"] {
            #expect(isAboutSender(code) == false, "\(code)")
        }
    }
}
