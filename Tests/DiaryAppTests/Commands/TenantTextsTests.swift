import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("Texts of an app that operators give")
struct TenantTextsTests {
    /// Line ends, control characters, changes of direction, a header field, nothing to see, too much, or space at an end.
    static let names = [
        "", " ", "\u{200B}", "\u{2060}\u{200D}", "a\n", "a\r\nBcc: eve@example.net", "a\rb", "\u{0}", "a\u{0}b", "a\tb", "a\u{7F}",
        "a\u{85}b",
        "a\u{2028}b", "a\u{2029}b", "\u{202E}yaD yM", "My \u{2066}Day\u{2069}", "My Day\u{200F}", "\u{FEFF}My Day", "\u{1B}[2JMy Day",
        " My Day",
        "My Day\u{3000}", String(repeating: "a", count: 101), "e" + String(repeating: "\u{301}", count: 100),
    ]

    private func refusal(of texts: TenantTexts) throws -> String {
        let error = #expect(throws: (any Error).self) { try texts.check() }
        return "\(try #require(error))"
    }

    @Test("a name that cannot stand in a mail's header is refused, with its option named and not repeated", arguments: names)
    func refusedNames(name: String) throws {
        for (texts, option) in [(TenantTexts(name: name), "--name"), (TenantTexts(mailFromName: name), "--mail-from-name")] {
            let message = try refusal(of: texts)
            #expect(message.hasPrefix(option + " must "))
            #expect(name.count < 3 || !message.contains(name))
        }
    }

    @Test(
        "a sender that no server accepts is refused",
        arguments: [
            "", "diary", "@example.org", "diary@", "diary@mail", "diary@10.0.0.1", "diary@[10.0.0.1]", "diary@example.org.",
            "My Day <d@example.org>",
            "diary@example.org\r\nBcc: eve@example.net", "diary@example.org,eve@example.net", "diäry@example.org", "\"my day\"@example.org",
            "=?utf-8?q?eve=40example.net?=@example.org", "diary@exam_ple.org", "diary@-example.org", "diary@example.org\u{202E}",
            String(repeating: "a", count: 65) + "@example.org",
        ])
    func refusedSenders(sender: String) throws {
        #expect(try refusal(of: TenantTexts(mailFrom: sender)).hasPrefix("--mail-from must "))
    }

    @Test(
        "names as apps have them are accepted, and every mail can be written with them",
        arguments: [
            "My Day", "M", "日記", "Müsli & Söhne's \"Diary\"", "🏳️‍🌈 app", "=?utf-8?q?x?=", "a, b; c: <d@e.f> (g)", "\\",
            String(repeating: "日", count: 100),
            String(repeating: "\"", count: 100), "نوشته‌های من",
        ])
    func accepted(name: String) throws {
        for sender in ["diary@example.org", "diary@localhost", "a.b+c@xn--mller-kva.example"] {
            try TenantTexts(name: name, mailFromName: name, mailFrom: sender).check()
        }
    }

    @Test("a sample of every kind of mail is written; a fault names the option of the field that cannot be")
    func samples() {
        func tenant(name: String = "App", fromName: String = "App", from: String = "diary@example.org") -> Tenant {
            Tenant(
                id: TenantID(UUID()), slug: "app", name: name, mailFromName: fromName, mailFromAddress: from, createdAt: .now,
                suspendedAt: nil)
        }

        #expect(SampleMails.fault(of: tenant()) == nil)
        #expect(SampleMails.fault(of: tenant(from: "nowhere"))?.option == "--mail-from")
        #expect(SampleMails.fault(of: tenant(fromName: "a\nb"))?.option == "--mail-from-name")
        #expect(SampleMails.fault(of: tenant(name: "a\nb"))?.option == "--name")
        #expect(SampleMails.fault(of: tenant(name: String(repeating: "a", count: 990)))?.option == "--name", "longer than a header may be")
    }
}
