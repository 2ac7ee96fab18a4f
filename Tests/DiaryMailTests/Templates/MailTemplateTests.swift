import Foundation
import Testing

@testable import DiaryCore
@testable import DiaryMail

@Suite("Mail texts")
struct MailTemplateTests {
    static let hostile = "<img src=x onerror=alert(1)>\"'&{code}\u{0}"
    static let every = MailKind.allCases.flatMap { kind in WrittenLanguage.allCases.map { (kind, $0) } }

    static func app(_ name: String = "My Day", _ settings: [String: String] = [:]) throws -> Tenant {
        var configuration = TenantConfiguration()
        for (name, value) in settings { try configuration.set(name, to: value) }
        return Tenant(
            id: TenantID(UUID()), slug: "my-day", name: name, mailFromName: "My Day", mailFromAddress: "diary@localhost", createdAt: Date(),
            suspendedAt: nil, configuration: configuration)
    }

    static func export(
        _ from: String = "2026-11-22", _ to: String = "2026-11-22", _ zone: String = "Europe/Berlin", _ locale: String? = nil,
        link: String = "https://diary.example/x?a=1&b=2", unsubscribe: String? = nil, entries: Int? = 1
    ) throws -> ReadyExport {
        ReadyExport(
            link: link, from: try #require(CalendarDay(from)), to: try #require(CalendarDay(to)),
            expiresAt: Date(timeIntervalSince1970: 1_795_461_355.5), timeZone: zone, locale: locale, unsubscribe: unsubscribe,
            entries: entries)
    }

    static func compose(
        _ kind: MailKind, _ locales: [String], app: Tenant, code: String? = "49320155", export: ReadyExport? = nil,
        words: MailWords? = nil, minutes: Int = 30
    ) throws -> OutgoingMessage {
        try TemplateComposer(codeMinutes: minutes).compose(
            MailContent(
                kind: kind, payload: MailPayload(to: "anna@example.org", code: code), mail: try MailFixtures.id(), tenant: app,
                export: export, locales: locales, words: words))
    }

    @Test(
        "E8, B16: every kind in every language has its code or link, escapes every value, fits a phone and fetches nothing",
        arguments: every)
    func builtIn(kind: MailKind, language: WrittenLanguage) throws {
        let mail = try Self.compose(
            kind, [language.rawValue], app: try Self.app(), export: try Self.export(unsubscribe: "https://u.example/1"))
        let hostile = try Self.compose(
            kind, [language.rawValue], app: try Self.app(Self.hostile), code: Self.hostile,
            export: try Self.export(link: "javascript:alert(1)", unsubscribe: "https://x/\"><script>"))

        for text in [mail.subject, mail.text, mail.html ?? ""] {
            #expect(!text.contains("{") && !text.contains("}") && !text.contains("#}"))
        }
        #expect(mail.subject.contains("My Day") && !mail.subject.contains("49320155"), "the code stays out of lock screens")
        let html = try #require(mail.html)
        #expect(html.contains("<html lang=\"\(language.rawValue)\">") && html.contains("width=device-width") && !html.contains("src="))
        switch kind.neededPlaceholder {
        case .code?:
            #expect(mail.text.contains("\n    49320155\n") && mail.text.contains("30 "))
            #expect(html.contains(">4932<span style=\"margin-left:.35em\">0155</span>"), "in two groups that are copied as one")
            #expect(!html.contains("href"), "no link, so that none is followed")
        case .link?:
            #expect(mail.text.contains("https://diary.example/x?a=1&b=2\n"))
            #expect(html.contains("<a href=\"https://diary.example/x?a=1&amp;b=2\""))
            #expect(mail.text.contains(": https://u.example/1\n") && html.contains("<a href=\"https://u.example/1\""))
        default: #expect(!html.contains("href") && !mail.text.contains("http"))
        }
        let dangerous = try #require(hostile.html)
        #expect(!dangerous.contains("<img") && !dangerous.contains("<script") && !dangerous.contains("href=\"javascript"))
    }

    @Test(
        "numbers have the plural of their language",
        arguments: [
            (WrittenLanguage.en, 1, "1 minute and"), (.en, 5, "5 minutes and"), (.de, 1, "1 Minute und"), (.de, 2, "2 Minuten und"),
            (.es, 1, "1 minuto y"), (.es, 30, "30 minutos y"), (.fr, 1, "1 minute et"), (.fr, 0, "0 minute et"), (.fr, 2, "2 minutes et"),
        ])
    func plurals(language: WrittenLanguage, minutes: Int, words: String) throws {
        let mail = try Self.compose(.verificationCode, [language.rawValue], app: try Self.app(), minutes: minutes)
        #expect(mail.text.contains(words))
    }

    @Test("the mail of an export has the days and times of the account, in the language and the order of its locale")
    func dates() throws {
        func text(_ from: String, _ to: String, _ zone: String, _ locale: String) throws -> String {
            try Self.compose(
                .exportReady, MailLocale.chain(locale, app: nil), app: try Self.app(), export: try Self.export(from, to, zone, locale)
            ).text
        }

        let german = try text("2026-11-22", "2026-11-22", "Europe/Berlin", "de-DE")
        #expect(german.contains("Einträge in My Day vom 22. November 2026 ist fertig.") && german.contains("1 Eintrag."))
        #expect(german.contains("gilt bis 23. November 2026, 20:15 (Zeit in Berlin)."))
        #expect(try text("2026-07-01", "2026-07-31", "Europe/Paris", "fr-FR").contains("du 1er au 31 juillet 2026 est prêt"))
        #expect(try text("2026-07-01", "2026-08-03", "Europe/Madrid", "es").contains("del 1 de julio al 3 de agosto de 2026 está lista"))
        let american = try text("2026-11-01", "2026-11-30", "America/New_York", "en-US")
        #expect(american.contains("entries from November 1 to 30, 2026 is ready"))
        #expect(american.contains("valid until November 23, 2026, 2:15 PM (New York time)."))
        #expect(try text("2026-07-01", "9999-12-31", "Europe/Paris", "fr-FR").contains("My Day depuis le 1er juillet 2026 est prêt"))
        #expect(try text("0001-01-01", "2026-07-31", "Europe/Berlin", "de-DE").contains("My Day bis 31. Juli 2026 ist fertig"))
        #expect(try text("2026-11-22", "2026-11-22", "Europe/Rome", "it-IT").contains("of 22 November 2026 is ready"))
    }

    @Test("the days of an export have the texts of their section, and no others stand there")
    func keys() {
        let keys = LanguageFile.of(.en).sections[ExportDaysWord.section, default: [:]].keys
        #expect(Set(keys) == Set(ExportDaysWord.allCases.map(\.rawValue)))
    }

    @Test("a paragraph without its value is left out")
    func missing() throws {
        let mail = try Self.compose(.exportReady, ["en"], app: try Self.app(), export: try Self.export(entries: nil))
        #expect(!mail.text.contains("It holds") && !mail.text.contains("scheduled") && mail.unsubscribe == nil)
    }

    @Test("languages are tried from the account's to the app's to English; the app's words count where they come first")
    func chain() throws {
        #expect(MailLocale.chain("de-AT", app: "fr-CA") == ["de-AT", "de", "fr-CA", "fr", "en"])
        #expect(MailLocale.chain("zh-Hant-TW", app: nil) == ["zh-TW", "zh", "en"])
        #expect(MailLocale.chain(nil, app: nil) == ["en"] && MailLocale.chain("x", app: "1") == ["en"])
        func subject(_ locale: String?, _ own: String) throws -> String {
            let words = MailWords(locale: own, text: "Subject: Own\n\nWords of {app}.", html: nil)
            return try Self.compose(.passwordChanged, MailLocale.chain(locale, app: nil), app: try Self.app(), words: words).subject
        }
        #expect(try subject("de-AT", "de-AT") == "Own" && subject("de-AT", "de") == "Own" && subject(nil, "en") == "Own")
        #expect(try subject("de-AT", "en") == "Dein Passwort bei My Day wurde geändert", "the service's German before the app's English")
        #expect(try subject("it", "en") == "Own")
    }

    @Test("color, logo and last line are the app's; letters on a button are those that show")
    func brand() throws {
        let app = try Self.app(
            "My Day",
            ["mail.color": "#ffee00", "mail.logo": "https://my-day.example/logo.png?a=1&b=2", "mail.footer": "My <Day>, Main St 1"])
        let mail = try Self.compose(.exportReady, ["en"], app: app, export: try Self.export())
        let html = try #require(mail.html)

        #expect(html.contains("<img src=\"https://my-day.example/logo.png?a=1&amp;b=2\" alt=\"My Day\""))
        #expect(html.contains("background:#ffee00;color:#000000") && html.contains("border-top:.375rem solid #ffee00"))
        let line = try #require(html.firstRange(of: "<hr"))
        #expect(html[line.upperBound...].contains("My &lt;Day&gt;, Main St 1</p>"), "small print is below a line")
        let plain = try Self.compose(.passwordChanged, ["en"], app: try Self.app()).html
        #expect(plain?.contains("<p style=\"font-weight:600\">My Day</p>") == true && plain?.contains("<hr") == false)
        #expect(mail.text.hasSuffix("\n\n-- \nMy <Day>, Main St 1\n"))
        #expect(AppBrand().letters == "#ffffff")
        for bad in ["red", "#fff", "#gggggg", "url(x)", "#00000;"] {
            #expect(throws: TenantSettingError.self) { try Self.app("My Day", ["mail.color": bad]) }
        }
        for bad in [
            "http://a.example/x", "https://a.example/\"x", "javascript:x", "https:///x", "https://a b", "//a.example", "data:image/png,x",
        ] {
            #expect(throws: TenantSettingError.self) { try Self.app("My Day", ["mail.logo": bad]) }
        }
    }

    static let faulty: [(String, String)] = [
        ("", "must begin with Subject:"), ("Hello", "must begin with Subject:"), ("Subject:\n\n{code}", "subject is empty"),
        ("Subject: a\n", "1 to 50 paragraphs"), ("Subject: a\n\nb", "must have a paragraph {code}"),
        ("Subject: {code}\n\n{code}", "no {code} there"), ("Subject: a\n\nx {code}", "a paragraph of its own"),
        ("Subject: a\n\n{code", "not closed"), ("Subject: a\n\ncode}", "not opened"), ("Subject: a\n\n{link|x}", "not known here"),
        ("Subject: a\n\n{to}", "not known here"), ("Subject: a\n\n{minutes}", "must be written"),
        ("Subject: a\n\n{app|x}", "must be written"),
        ("Subject: a\u{202E}b\n\n{code}", "change of direction"), ("Subject: a\n\nb\u{8}\n\n{code}", "control character"),
        ("Subject: a\rBcc: eve@example.net\n\n{code}", "control character"),
        ("Subject: " + String(repeating: "a", count: 20_001), "at most"),
    ]

    @Test("words are checked when they are set, and the fault names the line", arguments: faulty)
    func faults(words: String, reason: String) throws {
        let fault = #expect(throws: MailTemplateFault.self) { try MailTemplate(words, of: .signInCode) }
        #expect(fault?.description.contains(reason) == true)
    }

    @Test("the service's words pass the check of an app's, with the line ends of any system", arguments: every)
    func roundTrip(kind: MailKind, language: WrittenLanguage) throws {
        let words = language.mail(kind)
        let (unix, dos) = (try MailTemplate(words, of: kind), try MailTemplate(words.replacing("\n", with: "\r\n"), of: kind))
        #expect(unix.subject == dos.subject && unix.paragraphs == dos.paragraphs)
    }

    @Test("go through the builder and come out whole")
    func built() async throws {
        let messages = try Self.every.map { try Self.compose($0, [$1.rawValue], app: try Self.app(), export: try Self.export()) }
        let mails = try messages.map { try MailMessageBuilder.bytes(of: $0, date: MailFixtures.date) }

        for (message, mail) in zip(messages, try await MailFixtures.parsed(mails)) {
            #expect(mail.subject == message.subject)
            #expect(mail.parts["text/plain"]?.replacing("\r\n", with: "\n") == message.text)
            #expect(mail.parts["text/html"]?.replacing("\r\n", with: "\n") == message.html)
        }
    }

    @Test("a code's mail without its code is refused, and an export's without its export")
    func none() throws {
        let app = try Self.app()
        #expect(throws: MailFailure.refused("no code")) { try Self.compose(.signInCode, ["en"], app: app, code: nil) }
        #expect(throws: MailFailure.refused("no export")) { try Self.compose(.exportReady, ["en"], app: app) }
    }
}
