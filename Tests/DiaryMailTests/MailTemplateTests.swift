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
            link: "https://diary.example/x?a=1&b=2", appName: "My Day", expiresAt: "1 March 2026, 12:30 (Berlin time)",
            days: "from 1 January to 28 February 2026"),
        .exportReady(link: "https://x/\"><script>", appName: hostile, expiresAt: hostile, days: hostile),
        .exportReady(link: "javascript:alert(1)", appName: "A", expiresAt: "", days: ""),
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
        #expect(export.text.contains("from 1 January to 28 February 2026") && export.text.contains("1 March 2026, 12:30 (Berlin time)"))
        #expect(
            export.html.contains(">Open the download page</a>") && export.html.components(separatedBy: "https://diary.example/x").count == 2
        )
        #expect(export.text.contains("sign in and delete it there"), "what does end the link")
    }

    @Test("the mail of an export has the days and times of the account, in the order of its locale")
    func dates() throws {
        func text(_ from: String, _ to: String, _ zone: String, _ locale: String?) throws -> String {
            let export = ReadyExport(
                link: "https://diary.example/x", from: try #require(CalendarDay(from)), to: try #require(CalendarDay(to)),
                expiresAt: Date(timeIntervalSince1970: 1_795_461_355.5), timeZone: zone, locale: locale)
            let tenant = Tenant(
                id: TenantID(UUID()), slug: "my-day", name: "My Day", mailFromName: "My Day", mailFromAddress: "diary@localhost",
                createdAt: Date(), suspendedAt: nil)
            return try TemplateComposer(codeMinutes: 30).compose(
                .exportReady, payload: MailPayload(to: "anna@example.org", code: nil), mail: try MailFixtures.id(), tenant: tenant,
                export: export
            ).text
        }

        let german = try text("2026-11-22", "2026-11-22", "Europe/Berlin", "de-DE")
        #expect(german.contains("The export of your My Day entries of 22 November 2026 is ready."))
        #expect(german.contains("valid until 23 November 2026, 20:15 (Berlin time)."))
        let american = try text("2026-11-01", "2026-11-30", "America/New_York", "en-US")
        #expect(american.contains("entries from November 1 to 30, 2026 is ready"))
        #expect(american.contains("valid until November 23, 2026, 2:15 PM (New York time)."))
    }

    @Test("every mail fits a phone: it sets its width, and no line of it is fetched", arguments: all)
    func phone(template: MailTemplate) {
        #expect(template.html.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"))
        #expect(!template.html.contains("src=") || template.html.contains("&lt;img src="))
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
