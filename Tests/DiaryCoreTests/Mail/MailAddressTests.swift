import DiaryCore
import Testing

@Suite("A mail address")
struct MailAddressTests {
    @Test(
        "is accepted as people have them",
        arguments: [
            "anna@example.org", "Anna.Berg+diary@Mail.Example.ORG", "o'neil@example.co.uk", "a@b.io", "x_y-z=1@a-b.example", "1@1.example",
            "a@xn--mller-kva.example",
            "!#$%&'*+-/?=^_`{|}~@example.org", String(repeating: "a", count: 64) + "@example.org", "a=?=b@example.org",
            "a?=b=?c@example.org",
        ])
    func accepted(text: String) throws {
        let address = try #require(MailAddress(text))

        #expect(address.text == text)
        #expect(address.normalised == text.lowercased())
    }

    @Test(
        "is refused when mail programs read an encoded word in it (RFC 2047)",
        arguments: [
            "=?utf-8?q?eve=40example.net?=@example.org", "=?utf-8?Q?a?=@example.org", "a=?utf-8?b?ZXZl?=b@example.org",
            "a.=?iso-8859-1*en?q?a?=.b@example.org", "=?q?=@example.org",
        ])
    func encodedWords(text: String) {
        #expect(MailAddress(text) == nil)
        #expect(MailAddress(sender: text) == nil)
    }

    @Test("has a domain, and a description that does not give it away")
    func parts() throws {
        let address = try #require(MailAddress("Anna@Example.ORG"))

        #expect(address.domain == "example.org")
        #expect("\(address)" == "<mail address>")
        #expect(!String(reflecting: address).contains("nna"))
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("nna"))
    }

    @Test("only a sender may have a domain of one label")
    func sender() {
        #expect(MailAddress("diary@localhost") == nil)
        #expect(MailAddress(sender: "diary@localhost") != nil)
        #expect(MailAddress(sender: "diary@local host") == nil)
    }
}
