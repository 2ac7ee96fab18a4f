import DiaryCore
import DiaryMail
import Foundation
import Testing

@Suite("E6: header and SMTP injections")
struct MailInjectionTests {
    static let payloads = [
        "\r\nBcc: eve@example.net", "\nBcc: eve@example.net", "\rBcc: eve@example.net", "\r\n\r\n<script>", "\n\n", "\r\n", "\n", "\r",
        "\r\n Bcc: eve@example.net", "\r\n\tBcc: eve@example.net", "\u{0}", "a\u{0}\r\nBcc: eve@example.net", "\u{B}Bcc: x", "\u{C}Bcc: x",
        "\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}", "\u{7F}", "\u{85}Bcc: eve@example.net", "\u{2028}Bcc: eve@example.net", "\u{2029}Bcc: x",
        "\u{8}\u{8}\u{8}", "\u{1B}[2J", "\tBcc: x", "\u{202E}gro.elpmaxe@eve", "\u{2066}x", "\u{200F}x", "\u{FEFF}x",
        "\r\n.\r\nMAIL FROM:<eve@example.net>", "\r\n.\r\n", "\n.\n", "\n.\r\n", "\r.\r", "\r\nRCPT TO:<eve@example.net>\r\nDATA",
        "\r\nContent-Type: text/html", "\r\nMIME-Version: 2.0", "\r\nSubject: other", "\r\nTo: eve@example.net",
    ]

    @Test("control characters and line ends are refused in every header field", arguments: payloads)
    func refusedInHeaders(payload: String) throws {
        let attempts = try [payload, "a\(payload)", "\(payload)a"].flatMap { value in
            [
                try MailFixtures.message(subject: value), try MailFixtures.message(fromName: value),
                try MailFixtures.message(to: "anna@example.org" + value), try MailFixtures.message(to: value + "anna@example.org"),
                try MailFixtures.message(to: "anna\(value)@example.org"),
                try MailFixtures.message(fromAddress: "mail@diary.example" + value),
                try MailFixtures.message(fromAddress: "mail@\(value)diary.example"),
            ]
        }

        for attempt in attempts {
            let error = #expect(throws: MailFailure.self) { try MailMessageBuilder.bytes(of: attempt, date: MailFixtures.date) }
            guard case .refused(let reason) = error else { return #expect(Bool(false)) }
            #expect(["sender address", "recipient address", "sender name", "subject"].contains(reason), "the reason holds no value")
        }
    }

    static let addresses = [
        "", "@", "a@", "@b.example", "a", "a@b", "a b@example.org", "a@exa mple.org", " a@example.org", "a@example.org ",
        "a@example.org,eve@example.net",
        "a@example.org;eve@example.net", "a@example.org eve@example.net", "<a@example.org>", "Eve <eve@example.net>", "a@example.org>",
        "a@example.org> BODY=8BITMIME",
        "a@example.org> NOTIFY=SUCCESS ORCPT=rfc822;eve@example.net", "\"a b\"@example.org", "\"a\\\r\n\"@example.org", "a@[127.0.0.1]",
        "a@127.0.0.1",
        "a@[IPv6:::1]", "a(comment)@example.org", "a@example.org(comment)", "a@@example.org", "a@b@example.org", "group:a@example.org;",
        "@relay:a@example.org",
        ".a@example.org", "a.@example.org", "a..b@example.org", "a@.example.org", "a@example.org.", "a@example..org", "a@-example.org",
        "a@example-.org",
        "ü@example.org", "a@müller.example", "a@例え.jp", "a\u{200B}@example.org", "a@example.org\u{202E}", "a@exam_ple.org",
        "a@example.org%0d%0aBcc:eve",
        "a@example.org\\r\\nBcc:", "a@example.org?cc=eve@example.net", "a@example.org/", "=?utf-8?q?a?=@example.org?=", "a@example.123",
        String(repeating: "a", count: 65) + "@example.org", "a@" + String(repeating: "a", count: 64) + ".org",
        "a@" + String(repeating: "abcdefgh.", count: 28) + "org", "a,b@example.org", "a:b@example.org", "a;b@example.org",
        "a<b@example.org", "a\\b@example.org",
        "=?utf-8?q?eve=40example.net?=@example.org", "=?utf-8?b?ZXZlQGV4YW1wbGUubmV0?=@example.org", "a.=?us-ascii*en?Q?b?=@example.org",
        "a[b@example.org", "a\u{ff20}example.org", "a\u{ff0c}b@example.org", "a@example\u{3002}org",
    ]

    @Test("a text that is not a plain address is refused", arguments: addresses)
    func refusedAddress(address: String) throws {
        let message = try MailFixtures.message(to: address)

        #expect(MailAddress(address) == nil)
        #expect(throws: MailFailure.refused("recipient address")) { try MailMessageBuilder.bytes(of: message, date: MailFixtures.date) }
    }

    @Test("an address that is accepted is sent as it is, and a mail program reads no encoded word in it (RFC 2047)")
    func addressesOnTheWire() async throws {
        let addresses = ["!#$%&'*+-/=?^_`{|}~@example.org", "a=?=b@example.org", "a?=b=?c?q?d@example.org"]
        let mails = try addresses.map { try MailMessageBuilder.bytes(of: try MailFixtures.message(to: $0), date: MailFixtures.date) }

        let parsed = try await MailFixtures.parsed(mails)

        for (address, (mail, read)) in zip(addresses, zip(mails, parsed)) {
            #expect(String(decoding: mail, as: UTF8.self).contains("\r\nTo: \(address)\r\n"))
            #expect(read.to == [address] && read.defects.isEmpty)
        }
    }

    @Test("the list has as many inputs as the row requires")
    func count() { #expect(Self.payloads.count + Self.addresses.count >= 60) }

    static let harmless = [
        "%0d%0aBcc: eve@example.net", "\\r\\nBcc: eve@example.net", "&#13;&#10;Bcc: eve@example.net",
        "=?utf-8?q?=0D=0ABcc:_eve@example.net?=",
        "=?utf-8?B?DQpCY2M6IGV2ZUBleGFtcGxlLm5ldA==?=", "\" <eve@example.net>", "\"<eve@example.net>, \"", "a\\\" <eve@example.net>, \\\"b",
        "eve@example.net,",
        "(comment", "<eve@example.net>", "; boundary=x", "嘊嘍Bcc: eve@example.net", "\u{560A}\u{560D}", "=0D=0ABcc: x", "\\", "\\\\", "\"",
        "a\\",
    ]

    @Test("text that only resembles an injection stays text: one sender, one recipient, the same eight fields")
    func neutralised() async throws {
        let mails = try Self.harmless.map { text in
            try MailMessageBuilder.bytes(
                of: try MailFixtures.message(fromName: text, subject: text, text: text, html: text), date: MailFixtures.date)
        }

        let parsed = try await MailFixtures.parsed(mails)

        for (text, mail) in zip(Self.harmless, parsed) {
            #expect(mail.headers == ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"])
            #expect(mail.senders == 1 && mail.fromAddress == "mail@diary.example" && mail.to == ["anna@example.org"])
            #expect(mail.subject == text && mail.fromName == text)
        }
    }

    @Test("a body can neither end the message nor open another part")
    func bodies() async throws {
        let boundary = "--=_018f6e2c-0000-7000-8000-0123456789ab"
        let bodies =
            Self.payloads + [
                "\(boundary)--\r\n", "\r\n\(boundary)\r\nContent-Type: text/html\r\n\r\n<b>", ".", "\n.\n", "..\n", "From eve\n",
                "\nFrom x\n",
            ]
        let mails = try bodies.map {
            try MailMessageBuilder.bytes(of: try MailFixtures.message(text: $0, html: $0), date: MailFixtures.date)
        }

        let parsed = try await MailFixtures.parsed(mails)

        #expect(mails.allSatisfy(MailFixtures.isCleanOnTheWire))
        for (mail, read) in zip(mails, parsed) {
            #expect(read.parts.count == 2 && read.headers.count == 8 && read.defects.isEmpty)
            let lines = String(decoding: mail, as: UTF8.self).components(separatedBy: "\r\n")
            #expect(!lines.contains { $0.hasPrefix(".") || $0.hasPrefix("From ") })
        }
    }
}
