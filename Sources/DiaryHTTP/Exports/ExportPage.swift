import DiaryCore
import DiaryCrypto
import FoundationEssentials
import HTTPTypes
import WireFormats

/// The pages of a mailed link: no script, no external content, light or dark as the reader's system is.
enum ExportPage {
    /// - Parameter action: where the button posts to.
    static func landing(_ export: Export, action: String) -> Reply {
        let left = max(0, export.maxDownloads - export.downloads)
        var facts = [("Days", "\(export.from) to \(export.to)"), ("Times", "local, as where each entry was made")]
        if let count = export.entryCount { facts.append(("Entries", String(count))) }
        if let size = export.sizeBytes { facts.append(("Size", Self.size(size))) }
        facts.append(("Downloads left", "\(left) of \(export.maxDownloads)"))
        if let end = export.expiresAt { facts.append(("Works until", RFC3339.text(end))) }
        let list = facts.map { "<dt>\(escaped($0.0))</dt><dd>\(escaped($0.1))</dd>" }.joined(separator: "\n")
        let button =
            left > 0
            ? "<form method=\"post\" action=\"\(escaped(action))\"><button type=\"submit\">Download the zip</button></form>"
            : "<p>All downloads of this link are used. Ask for a new export in the app.</p>"
        return page(.ok, title: "Your diary export", "<dl>\n\(list)\n</dl>\n\(button)")
    }

    static func refusal(_ error: DiaryError, requestID: String) -> Reply {
        let advice =
            switch error.code {
            case .linkExpired: "It was used up, was revoked or is too old. Ask for a new export in the app."
            case .linkRefused, .notFound: "Open it again from the mail, as it was sent."
            default: "Please try again in a moment."
            }
        var reply = page(
            HTTPResponse.Status(code: error.code.status), title: error.code.title,
            "<p>\(escaped(advice))</p>\n<p class=\"small\">Request \(escaped(requestID))</p>")
        if error.code.status == 429 || error.code.status == 503 { reply.headers[.retryAfter] = String(max(1, error.retryAfter ?? 1)) }
        return reply
    }

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

    /// `812 bytes`, `4.2 MB`: decimal units, one digit after the point.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return "\(bytes) bytes" }
        var tenths = bytes / 100
        for unit in ["kB", "MB", "GB"] {
            if tenths < 10_000 || unit == "GB" { return "\(tenths / 10).\(tenths % 10) \(unit)" }
            tenths /= 1000
        }
        return "\(bytes) bytes"
    }

    private static func page(_ status: HTTPResponse.Status, title: String, _ body: String) -> Reply {
        let html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(escaped(title))</h1>
            \(body)
            </main>
            </body>
            </html>

            """
        return Reply.text(status, type: "text/html", html).with(.contentSecurityPolicy, policy).with("X-Robots-Tag", "noindex")
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#f6f5f2;color:#1d1d1f}\
        main{max-width:28rem;margin:12vh auto 0;padding:2rem;background:#fff;border-radius:1rem}\
        h1{font-size:1.4rem;margin:0 0 1rem}\
        dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.5rem}\
        dt{color:#6b6b70}dd{margin:0}\
        button{font:inherit;padding:.75rem 1.5rem;border:0;border-radius:.75rem;background:#2f5d50;color:#fff;cursor:pointer}\
        .small{color:#6b6b70;font-size:.8rem}\
        @media(prefers-color-scheme:dark){body{background:#161618;color:#eee}main{background:#232326}dt,.small{color:#a0a0a6}button{background:#5f9c8a;color:#101012}}
        """

    /// Allows the style by its digest and nothing else.
    private static let policy =
        "default-src 'none'; style-src 'sha256-\(Data(SHA256.digest(Array(style.utf8))).base64EncodedString())'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
