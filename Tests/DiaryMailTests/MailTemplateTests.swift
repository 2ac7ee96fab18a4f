import DiaryCore
import DiaryMail
import Foundation
import Testing

@Suite("Mail texts")
struct MailTemplateTests {
    static let hostile = "<img src=x onerror=alert(1)>\"'&"

    static let all: [MailTemplate] = [
        .verificationCode(code: "49320155", appName: "My Day", minutes: 10), .verificationCode(code: hostile, appName: hostile, minutes: 1),
        .exportReady(
            link: "https://diary.example/x?a=1&b=2", appName: "My Day", expiresAt: "1 March 2026, 12:30 UTC", from: "2026-01-01",
            to: "2026-02-28"),
        .exportReady(link: "https://x/\"><script>", appName: hostile, expiresAt: hostile, from: hostile, to: hostile),
        .exportReady(link: "javascript:alert(1)", appName: "A", expiresAt: "", from: "", to: ""),
        .addressAlreadyRegistered(appName: "My Day"),
        .addressAlreadyRegistered(appName: hostile),
    ]

    @Test("E8: HTML escapes every value", arguments: all)
    func escaped(template: MailTemplate) {
        #expect(!template.html.contains("<img") && !template.html.contains("<script"))
        #expect(!template.html.contains("href=\"javascript"))
    }

    @Test("have the required content, in text and in HTML")
    func contents() {
        let code = MailTemplate.verificationCode(code: "49320155", appName: "My Day", minutes: 10)
        let export = Self.all[2]

        #expect(code.subject == "Your code for My Day", "the code stays out of lock screens")
        #expect(code.text.contains("49320155") && code.html.contains("49320155") && code.text.contains("10 minutes"))
        #expect(export.text.contains("https://diary.example/x?a=1&b=2\n"))
        #expect(export.html.contains("<a href=\"https://diary.example/x?a=1&amp;b=2\""))
        #expect(export.text.contains("from 2026-01-01 to 2026-02-28") && export.text.contains("1 March 2026, 12:30 UTC"))
        #expect(export.text.contains("sign in and delete it there"), "what does end the link")
    }

    @Test("go through the builder and come out whole")
    func built() async throws {
        let messages = try Self.all.map {
            $0.message(id: try MailFixtures.id(), fromName: "My Day", fromAddress: "diary@localhost", to: "anna@example.org")
        }
        let mails = try messages.map { try MailMessageBuilder.bytes(of: $0, date: MailFixtures.date) }

        for (message, mail) in zip(messages, try await MailFixtures.parsed(mails)) {
            #expect(mail.subject == message.subject)
            #expect(mail.parts["text/plain"]?.replacing("\r\n", with: "\n") == message.text)
            #expect(mail.parts["text/html"]?.replacing("\r\n", with: "\n") == message.html)
        }
    }
}
