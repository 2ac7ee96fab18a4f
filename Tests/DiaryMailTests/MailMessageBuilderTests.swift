import DiaryCore
import DiaryMail
import Foundation
import Testing

@Suite("A mail on the wire")
struct MailMessageBuilderTests {
    @Test("is read back by Python as it was meant")
    func readBack() async throws {
        let text = "Grüße,\r\n.\r\nFrom here on = fine \t\n\n日記 \(String(repeating: "long ", count: 60))\n> trailing space \n"
        let html = "<p>Größe 🗒 &amp; \(String(repeating: "x", count: 300))</p>\n"
        let message = try MailFixtures.message(text: text, html: html)

        let bytes = try MailMessageBuilder.bytes(of: message, date: MailFixtures.date)
        let mail = try #require(try await MailFixtures.parsed([bytes]).first)

        #expect(MailFixtures.isCleanOnTheWire(bytes))
        #expect(mail.defects.isEmpty)
        #expect(mail.headers == ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"])
        #expect(mail.fromName == "My Day" && mail.fromAddress == "mail@diary.example")
        #expect(mail.to == ["anna@example.org"])
        #expect(mail.date == "2026-02-28 12:30:58+00:00")
        #expect(mail.messageId == "<018f6e2c-0000-7000-8000-0123456789ab@diary.example>")
        #expect(mail.autoSubmitted == "auto-generated")
        #expect(mail.type == "multipart/alternative")
        #expect(lines(mail.parts["text/plain"]) == lines(text))
        #expect(lines(mail.parts["text/html"]) == lines(html))
    }

    private func lines(_ text: String?) -> [String] {
        (text ?? "").replacing("\r\n", with: "\n").components(separatedBy: "\n")
    }

    @Test("without HTML is one text part")
    func textOnly() async throws {
        let bytes = try MailMessageBuilder.bytes(of: try MailFixtures.message(text: "Hello", html: nil), date: MailFixtures.date)
        let mail = try #require(try await MailFixtures.parsed([bytes]).first)

        #expect(mail.type == "text/plain")
        #expect(lines(mail.parts["text/plain"]) == ["Hello", ""])
    }

    static let texts = [
        "", "a", " leading", "trailing ", "two  spaces", "Größe", "日記の書き出しができました", "🗒 👩‍👩‍👧 emoji", "quotes \" and \\ backslash",
        "=?utf-8?B?SGFsbG8=?=", "=?utf-8?q?=0D=0ABcc:_x@example.org?=", "a, b; c: <d@e.f> (g)", "e\u{301} composed",
        String(repeating: "a long subject of many words ", count: 12) + "end", String(repeating: "x", count: 300),
        String(repeating: "ü", count: 400),
        String(repeating: "日", count: 300), String(repeating: "👩‍👩‍👧", count: 40), "100 % =20 =\u{3D}",
    ]

    @Test("carries every subject and sender name, long and in any script")
    func headersReadBack() async throws {
        let mails = try Self.texts.map { text in
            try MailMessageBuilder.bytes(of: try MailFixtures.message(fromName: text, subject: text), date: MailFixtures.date)
        }

        let parsed = try await MailFixtures.parsed(mails)

        for (text, mail) in zip(Self.texts, parsed) {
            #expect(mail.subject == text)
            #expect(mail.fromName == text)
            #expect(mail.fromAddress == "mail@diary.example")
            #expect(mail.headers.count == 8 && mail.defects.isEmpty)
        }
        #expect(mails.allSatisfy(MailFixtures.isCleanOnTheWire))
    }

    @Test(
        "dates are English and UTC",
        arguments: [
            (0.0, "Thu, 01 Jan 1970 00:00:00 +0000"), (1_772_281_858.9, "Sat, 28 Feb 2026 12:30:58 +0000"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
        ])
    func dates(seconds: Double, expected: String) throws {
        let bytes = try MailMessageBuilder.bytes(of: try MailFixtures.message(), date: Date(timeIntervalSince1970: seconds))

        #expect(String(decoding: bytes, as: UTF8.self).contains("\r\nDate: \(expected)\r\n"))
    }

    @Test("body lines keep to 76 characters and lose no byte", arguments: [70, 73, 74, 75, 76, 77, 78, 150, 151, 152, 153])
    func foldingEdges(length: Int) async throws {
        let bodies = [
            String(repeating: "a", count: length), String(repeating: "a", count: length - 1) + "=",
            String(repeating: "a", count: length - 1) + " ",
            String(repeating: "=", count: length), String(repeating: " ", count: length), String(repeating: "a", count: length) + "\n.",
            String(repeating: ".", count: length),
        ]
        let mails = try bodies.map {
            try MailMessageBuilder.bytes(of: try MailFixtures.message(text: $0, html: nil), date: MailFixtures.date)
        }

        let parsed = try await MailFixtures.parsed(mails)

        #expect(mails.allSatisfy(MailFixtures.isCleanOnTheWire))
        for (body, mail) in zip(bodies, parsed) { #expect(lines(mail.parts["text/plain"]) == lines(body + "\n")) }
    }
}
