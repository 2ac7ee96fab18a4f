import DiaryCore
import DiaryCrypto
import FoundationEssentials
import HTTPTypes

/// The pages of a mailed link: no script, no external content, light or dark as the reader's system is.
enum ExportPage {
    /// - Parameter action: where the button posts to.
    static func landing(_ shown: DownloadExport.Page, action: String) -> Reply {
        let export = shown.export
        let dates = ReadableDates(locale: export.locale)
        let left = max(0, export.maxDownloads - export.downloads)
        var facts = [(export.from == export.to ? "Day" : "Days", dates.text(export.from, to: export.to))]
        facts.append(("Times", "local, as where each entry was made"))
        if let count = export.entryCount { facts.append(("Entries", String(count))) }
        if let size = export.sizeBytes { facts.append(("Size", Self.size(size))) }
        facts.append(("Downloads left", "\(left) of \(export.maxDownloads)"))
        if let end = export.expiresAt { facts.append(("Works until", dates.text(end, in: export.timeZone))) }
        let list = facts.map { "<dt>\(escaped($0.0))</dt><dd>\(escaped($0.1))</dd>" }.joined(separator: "\n")
        let button =
            left > 0
            ? """
            <form method="post" action="\(escaped(action))"><button type="submit">Download the zip</button></form>
            <p class="small">Each click on the button uses one download; one that breaks off can be resumed. Reload this page to see how many are left.</p>
            """
            : "<p>All downloads of this link are used. Ask for a new export in the app.</p>"
        let note = "This link is personal: anyone who has it can download the entries. Do not pass it on."
        let title = shown.appName.map { "Your \($0) export" } ?? "Your diary export"
        return page(.ok, title: title, "<dl>\n\(list)\n</dl>\n\(button)\n<p class=\"small\">\(note)</p>")
    }

    /// Whether an error of a request is shown as a page: to browsers, and only where people come by a link or by typing an address.
    /// Operations of the API answer programs.
    /// - Parameter template: of the known path; `-` for none.
    static func shows(_ template: String, path: String, to headers: HTTPFields) -> Bool {
        let isForPeople = template.hasPrefix("/exports/") || (template == "-" && path != "/v1" && !path.hasPrefix("/v1/"))
        return isForPeople && AcceptedTypes(headers[values: .accept]).prefersHTML
    }

    static func refusal(_ error: DiaryError, requestID: String) -> Reply {
        let (title, advice) =
            switch error.code {
            case .linkExpired: (error.code.title, "It was used up, was revoked or is too old. Ask for a new export in the app.")
            case .linkRefused: (error.code.title, "Open it again from the mail, as it was sent.")
            case .notFound: (error.code.title, "If a link of a mail led here, open it again from the mail, as it was sent.")
            case .methodNotAllowed: ("This address works by a button", "Open the link of the mail, and press the button of its page.")
            default: (error.code.title, "Please try again in a moment.")
            }
        var reply = page(
            HTTPResponse.Status(code: error.code.status), title: title,
            "<p>\(escaped(advice))</p>\n<p class=\"small\">Request \(escaped(requestID))</p>")
        // The fields of the problem document stay.
        for field in Problem.reply(error, requestID: requestID).headers where field.name != .contentType {
            reply.headers[field.name] = field.value
        }
        reply.error = error
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
            <link rel="icon" href="\(icon)">
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

    /// In the page itself, or browsers would ask for /favicon.ico.
    private static let icon =
        "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E"
        + "%3Crect width=%2216%22 height=%2216%22 rx=%224%22 fill=%22%232f5d50%22/%3E%3C/svg%3E"

    private static let style = """
        :root{color-scheme:light dark}\
        body{margin:0;padding:12vh 1rem 2rem;font:1rem/1.5 system-ui,sans-serif;background:#f6f5f2;color:#1d1d1f}\
        main{max-width:28rem;margin:0 auto;padding:2rem;background:#fff;border-radius:1rem;overflow-wrap:break-word}\
        @media(max-width:32rem){body{padding-top:1rem}main{padding:1.5rem}}\
        h1{font-size:1.4rem;margin:0 0 1rem}\
        dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.5rem}\
        dt{color:#6b6b70}dd{margin:0;min-width:0}\
        button{font:inherit;padding:.75rem 1.5rem;border:0;border-radius:.75rem;background:#2f5d50;color:#fff;cursor:pointer}\
        .small{color:#6b6b70;font-size:.8rem}\
        @media(prefers-color-scheme:dark){body{background:#161618;color:#eee}main{background:#232326}dt,.small{color:#a0a0a6}button{background:#5f9c8a;color:#101012}}
        """

    /// Allows the style by its digest, the icon, and nothing else.
    private static let policy =
        "default-src 'none'; style-src 'sha256-\(Data(SHA256.digest(Array(style.utf8))).base64EncodedString())'; img-src data:; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
