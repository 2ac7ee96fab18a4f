import DiaryCore
import DiaryCrypto
import FoundationEssentials
import HTTPTypes

/// The one form of pages, with the head of mails: no script, nothing from elsewhere but the app's logo, light or dark as the reader's system is.
enum HTMLPage {
    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }

    /// - Parameters:
    ///   - language: of the title and the body.
    ///   - brand: of the app that the page is about; without a name it has no head.
    ///   - isWide: has lines of code.
    static func reply(
        _ status: HTTPResponse.Status, title: String, language: WrittenLanguage = .en, brand: AppBrand = AppBrand(), isWide: Bool = false,
        _ body: String
    ) -> Reply {
        let style = ":root{--brand:\(brand.color);--letters:\(brand.letters)}" + Self.style
        let html = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="\(icon(brand.color))">
            <title>\(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <main\(isWide ? " class=\"wide\"" : "")>
            \(head(brand))<h1>\(escaped(title))</h1>
            \(body)
            </main>
            </body>
            </html>

            """
        return Reply.text(status, type: "text/html", html).with(.contentSecurityPolicy, policy(style, logo: brand.logo)).with(
            "X-Robots-Tag", "noindex")
    }

    /// The logo or the name, as in mails.
    private static func head(_ brand: AppBrand) -> String {
        let name = escaped(brand.name)
        let shown = brand.logo.map { "<img src=\"\(escaped($0))\" alt=\"\(name)\">" } ?? name
        return shown.isEmpty ? "" : "<p class=\"brand\">\(shown)</p>\n"
    }

    /// In the page itself, or browsers would ask for /favicon.ico.
    /// - Parameter color: `#2f5d50`.
    static func icon(_ color: String) -> String {
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E"
            + "%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%23\(color.dropFirst())%22/%3E%3C/svg%3E"
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{margin:0;padding:12vh 1rem 2rem;font:1rem/1.5 system-ui,sans-serif;background:#f6f5f2;color:#1d1d1f}\
        main{max-width:28rem;margin:0 auto;padding:2rem;background:#fff;border-top:.375rem solid var(--brand);border-radius:1rem;overflow-wrap:break-word}\
        .brand{margin:0 0 1.5rem;font-weight:600}.brand img{display:block;height:2.5rem;max-width:100%}\
        @media(max-width:32rem){body{padding-top:1rem}main{padding:1.5rem}}\
        .wide{max-width:46rem}\
        h1{font-size:1.4rem;margin:0 0 1rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}\
        code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\
        pre{margin:0;padding:.75rem 1rem;background:#f6f5f2;border-radius:.5rem;white-space:pre-wrap}\
        dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:.25rem 1.5rem}\
        dt{color:#6b6b70}dd{margin:0;min-width:0}\
        ul{list-style:none;margin:0;padding:0}li{margin:1rem 0}\
        button:focus-visible,a:focus-visible{outline:3px solid #5f9c8a;outline-offset:3px}\
        a{color:#2f5d50}\
        button{font:inherit;padding:.75rem 1.5rem;border:0;border-radius:.75rem;background:var(--brand);color:var(--letters);cursor:pointer}\
        @media(max-width:30rem){dl{display:block}dt{margin-top:.5rem}button{width:100%}}\
        .small{color:#6b6b70;font-size:.8rem}\
        @media(prefers-color-scheme:dark){body{background:#161618;color:#eee}main{background:#232326}pre{background:#161618}dt,.small{color:#a0a0a6}a{color:#8cc4b3}}
        """

    /// Allows the style by its digest, the icon, the logo's host, and nothing else.
    private static func policy(_ style: String, logo: String?) -> String {
        let host = logo.map { $0.dropFirst("https://".count).prefix { !"/?#".contains($0) } }
        return "default-src 'none'; style-src 'sha256-\(Data(SHA256.digest(Array(style.utf8))).base64EncodedString())'; "
            + "img-src data:\(host.map { " https://\($0)" } ?? ""); form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }
}
