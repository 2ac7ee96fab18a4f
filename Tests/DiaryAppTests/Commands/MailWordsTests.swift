import DiaryCore
import DiaryMail
import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("Words of mails that operators give")
struct MailWordsTests {
    private static func app(logo: String? = nil) throws -> Tenant {
        var configuration = TenantConfiguration()
        if let logo { try configuration.set("mail.logo", to: logo) }
        return Tenant(
            id: TenantID(UUID()), slug: "app", name: "App", mailFromName: "App", mailFromAddress: "diary@example.org", createdAt: .now,
            suspendedAt: nil, configuration: configuration)
    }

    static let logo = #"<img src="{logo}" alt="App">"#
    static let link = #"<a href="{link}">Go</a>"#
    static let unsubscribe = #"<a href="{unsubscribe}">Stop</a>"#

    static let faulty: [(MailKind, String, String)] = [
        (.exportReady, "<p>\(link) \(unsubscribe)</p>", "in a mail without {unsubscribe}: {link} is left out"),
        (.exportReady, "<table><tr><td>\(logo)</td><td>\(link)</td></tr></table>", "in a mail without {logo}: {link} is left out"),
        (
            .exportReady, "<p>\(link) \(unsubscribe)</p><p>\(logo) \(link)</p>",
            "in a mail without {unsubscribe} and {logo}: {link} is left out"
        ),
        (.exportReady, "<div>\(link) or \(unsubscribe)</div>", "in a mail without {unsubscribe}: the label of {unsubscribe} stays"),
        (.exportReady, #"<title>{app}</title><p><a href="{link}"></a></p>"#, "in a mail with every value: there is nothing to read"),
        (.signInCode, "<p>\(logo) {code}</p>", "in a mail without {logo}: {code} is left out"),
        (.passwordChanged, "<p>\(logo) Your password was changed.</p>", "in a mail without {logo}: there is nothing to read"),
    ]

    @Test("HTML that says nothing without a logo or without the link that ends a schedule's mails is refused", arguments: faulty)
    func refused(kind: MailKind, html: String, reason: String) throws {
        for app in [try Self.app(), try Self.app(logo: "https://app.example/logo.png")] {
            let fault = SampleMails.fault(of: MailWords(locale: "en", text: nil, html: html), kind, app)

            #expect(fault?.option == "--html" && fault?.reason.hasPrefix(reason) == true, "\(String(describing: fault))")
        }
    }

    @Test("HTML in which each of them has a block of its own, or a picture with its text, is accepted")
    func accepted() throws {
        let app = try Self.app()
        for (kind, html) in [
            (.exportReady, "\(Self.logo)<p>Hello from {app}.</p><p>\(Self.link)</p><p>\(Self.unsubscribe)</p>"),
            (.exportReady, "<table><tr><td><p>\(Self.logo)</p><p>\(Self.unsubscribe)</p>\(Self.link)</td></tr></table>"),
            (.signInCode, "<body>\(Self.logo)<p>{code}</p></body>"),
            (.passwordChanged, "<p>\(Self.logo)</p><p>Your password was changed.</p>"),
        ] as [(MailKind, String)] {
            #expect(SampleMails.fault(of: MailWords(locale: "it", text: nil, html: html), kind, app) == nil, "\(html)")
        }
    }

    @Test("the service's own words do in every mail", arguments: MailKind.allCases)
    func builtIn(kind: MailKind) throws {
        for language in WrittenLanguage.allCases {
            let words = MailWords(locale: language.rawValue, text: language.mail(kind), html: nil)
            #expect(SampleMails.fault(of: words, kind, try Self.app()) == nil)
        }
    }
}
