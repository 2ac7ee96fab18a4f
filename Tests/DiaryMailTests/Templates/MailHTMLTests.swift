import DiaryCore
import Testing

@testable import DiaryMail

@Suite("E8: an app's own HTML of mails")
struct MailHTMLTests {
    static let good = """
        <!DOCTYPE html>
        <html lang="de"><head><meta charset="utf-8"><title>{app}</title></head>
        <body style="margin:0;background-color:#fff">
        <img src="{logo}" alt="{app}" height="40">
        <p style="color: #123456">Hallo &amp; willkommen bei {app} {days}.</p>
        <p><a href="{link}" style="padding:1em">Laden</a></p>
        <p>{entries|ein Eintrag|# Einträge}</p>
        <table><tr><td>bis {until}<br></td></tr></table>
        <p><a href="{unsubscribe}">Beenden</a> oder <a href="https://my-day.example/hilfe?a=1&amp;b=2">Hilfe</a></p>
        </body></html>
        """

    @Test("is filled with escaped values; what lacks one is left out")
    func filled() throws {
        let app = try MailTemplateTests.app("<script>\"'&", ["mail.logo": "https://my-day.example/l.png"])
        func html(_ unsubscribe: String?) throws -> String {
            let words = MailWords(locale: "de", text: nil, html: Self.good)
            let export = try MailTemplateTests.export(unsubscribe: unsubscribe, entries: nil)
            let mail = try MailTemplateTests.compose(.exportReady, ["de", "en"], app: app, export: export, words: words)
            #expect(mail.subject.hasPrefix("Dein Export"), "subject and text are the service's in that language")
            return try #require(mail.html)
        }
        let (with, without) = (try html("https://u.example/1"), try html(nil))

        #expect(with.contains("bei &lt;script&gt;&quot;&#39;&amp; vom 22. November 2026.") && !with.contains("<script"))
        #expect(with.contains("<img src=\"https://my-day.example/l.png\" alt=\"&lt;script&gt;&quot;&#39;&amp;\" height=\"40\">"))
        #expect(with.contains("<a href=\"https://diary.example/x?a=1&amp;b=2\" style=\"padding:1em\">Laden</a>"))
        #expect(with.contains("Hallo &amp; willkommen") && !with.contains("Eintr"))
        #expect(with.contains("https://u.example/1") && !without.contains("Beenden") && without.contains("Laden"))
    }

    @Test("where it says nothing without a value, the mail has the service's HTML")
    func leftEmpty() throws {
        let words = MailWords(locale: "en", text: nil, html: "<p><img src=\"{logo}\" alt=\"\">Own words.</p>")
        func html(_ settings: [String: String]) throws -> String {
            let mail = try MailTemplateTests.compose(
                .passwordChanged, ["en"], app: try MailTemplateTests.app("My Day", settings), words: words)
            return try #require(mail.html)
        }

        #expect(try html(["mail.logo": "https://my-day.example/l.png"]).hasSuffix("Own words.</p>"))
        let without = try html([:])
        #expect(without.hasPrefix("<!doctype html>") && without.contains("My Day") && !without.contains("Own words."))
    }

    static let refused = [
        "<script>alert(1)</script>", "<SCRIPT src=\"https://a.example/x.js\"></SCRIPT>", "<style>p{}</style>",
        "<link rel=\"stylesheet\" href=\"https://a\">",
        "<form action=\"https://a.example\"><input></form>", "<iframe src=\"https://a.example\"></iframe>", "<object></object>",
        "<svg></svg>",
        "<math></math>", "<base href=\"https://a.example/\">", "<meta http-equiv=\"refresh\" content=\"0\">",
        "<meta name=\"x\" content=\"0;url=https://a.example\">", "<img src=\"https://a.example/pixel.gif\" alt=\"\">", "<img alt=\"x\">",
        "<img src=\"{logo}\">", "<img src=\"data:image/png;base64,AA\" alt=\"\">", "<p onclick=\"x()\">a</p>", "<p OnMouseOver=\"x\">a</p>",
        "<a href=\"javascript:alert(1)\">x</a>", "<a href=\"http://a.example\">x</a>", "<a href=\"//a.example\">x</a>",
        "<a href=\"{link}x\">x</a>",
        "<a href=\"mailto:eve@example.net\">x</a>", "<a href='https://a.example'>x</a>", "<a href=https://a.example>x</a>",
        "<a href=\"{link}\" href=\"{link}\">x</a>", "<a href=\"https://a.example/{link}\">x</a>",
        "<a href=\"https://a.example/&quot;x\">x</a>",
        "<p style=\"background:url(https://a.example/x)\">a</p>", "<p style=\"width:expression(alert(1))\">a</p>",
        "<p style=\"background:u\\72l(x)\">a</p>", "<p style=\"@import 'x'\">a</p>", "<p style=\"a:b/**/\">a</p>",
        "<p style=\"&#117;rl\">a</p>",
        "<!-- x -->", "<![CDATA[x]]>", "<?php x ?>", "<p", "<p>", "</p>", "<p></div>", "<p class=\"x\">a</p>", "<p id=\"x\">a</p>",
        "< p>a</p>",
        "<p style=\"a\"b>c</p>", "a > b", "&lpar;", "&#x3c;script&#x3e;", "&", "{link|Label}", "{code}", "{minutes|a|b}", "{app", "a}",
        "<p title=\"{link}\">a</p>", "\u{202E}abc", "<p>a\u{0}</p>", "<video src=\"x\"></video>", "<button>x</button>",
        "<td background=\"https://a\">x</td>",
        "<center><marquee>x</marquee></center>", "<template><p>x</p></template>", "<p style=\"behavior:url(x)\">a</p>",
    ]

    @Test("scripts, forms, fetched content, broken markup and values in the wrong place are refused when it is set", arguments: refused)
    func injections(html: String) {
        #expect(throws: MailTemplateFault.self) { try MailHTML("<p><a href=\"{link}\">x</a></p>" + html, of: .exportReady) }
    }

    @Test("as many are tried as the row requires")
    func count() { #expect(Self.refused.count + MailInjectionTests.payloads.count >= 60) }

    @Test("must hold the code or the link")
    func needed() throws {
        #expect(throws: MailTemplateFault.self) { try MailHTML("<p>a</p>", of: .exportReady) }
        #expect(throws: MailTemplateFault.self) { try MailHTML("<p>a</p>", of: .signInCode) }
        _ = try MailHTML("<p>{code}</p>", of: .signInCode)
        _ = try MailHTML("<p>a</p>", of: .passwordChanged)
    }
}
