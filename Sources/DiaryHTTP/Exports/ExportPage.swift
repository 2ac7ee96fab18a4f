import DiaryCore
import FoundationEssentials
import HTTPTypes

/// The pages of a mailed link, and of errors that a browser is shown.
enum ExportPage {
    /// - Parameter action: where the button posts to.
    static func landing(_ shown: DownloadExport.Page, action: String) -> Reply {
        let export = shown.export
        let dates = ReadableDates(locale: export.locale)
        let left = max(0, export.maxDownloads - export.downloads)
        let isInParts = !export.parts.isEmpty
        var facts = [(export.from == export.to ? "Day" : "Days", dates.text(export.from, to: export.to))]
        facts.append(("Times", "local, as where each entry was made"))
        if let count = export.entryCount { facts.append(("Entries", String(count))) }
        if let size = export.sizeBytes { facts.append(("Size", Self.size(size))) }
        if isInParts {
            facts.append(("Parts", String(export.parts.count)))
        } else {
            facts.append(("Downloads left", "\(left) of \(export.maxDownloads)"))
        }
        if let end = export.expiresAt { facts.append(("Works until", dates.text(end, in: export.timeZone))) }
        let list = facts.map { "<dt>\(HTMLPage.escaped($0.0))</dt><dd>\(HTMLPage.escaped($0.1))</dd>" }.joined(separator: "\n")
        let button =
            isInParts
            ? parts(of: export, action: action)
            : left > 0
                ? """
                <form method="post" action="\(HTMLPage.escaped(action))"><button type="submit">Download the zip</button></form>
                <p class="small">Each click on the button uses one download; one that breaks off can be resumed. Reload this page to see how many are left.</p>
                """
                : "<p>All downloads of this link are used. Ask for a new export in the app.</p>"
        let note = "This link is personal: anyone who has it can download the entries. Do not pass it on."
        let title = shown.appName.map { "Your \($0) export" } ?? "Your diary export"
        return HTMLPage.reply(.ok, title: title, "<dl>\n\(list)\n</dl>\n\(button)\n<p class=\"small\">\(note)</p>")
    }

    /// A button for each part, with what is in it.
    private static func parts(of export: Export, action: String) -> String {
        let items = export.parts.map { part in
            let left = max(0, export.maxDownloads - part.downloads)
            let name = "Part \(part.number) of \(export.parts.count)"
            let facts = "\(part.entryCount) entries, \(size(part.sizeBytes)), downloads left: \(left) of \(export.maxDownloads)"
            let button =
                left > 0
                ? """
                <form method="post" action="\(HTMLPage.escaped("\(action)?part=\(part.number)"))"><button type="submit">Download \(name)</button></form>
                """ : "<p>\(name): all downloads are used.</p>"
            return "<li>\(button)\n<p class=\"small\">\(facts)</p></li>"
        }
        return """
            <ul>
            \(items.joined(separator: "\n"))
            </ul>
            <p class="small">Each part is a zip of its own, in order of time. Each click on a button uses one download of that part; one that breaks off can be resumed.</p>
            """
    }

    /// Whether an error of a request is shown as a page: to browsers, and only where people come by a link or by typing an address.
    /// Operations of the API answer programs.
    /// - Parameter template: of the known path; `-` for none.
    static func shows(_ template: String, path: String, to headers: HTTPFields) -> Bool {
        let isPage = template.hasPrefix("/exports/") || template.hasPrefix("/unsubscribe/") || template == ProblemRoutes.page
        let isForPeople = isPage || (template == "-" && path != "/v1" && !path.hasPrefix("/v1/"))
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
        var reply = HTMLPage.reply(
            HTTPResponse.Status(code: error.code.status), title: title,
            "<p>\(HTMLPage.escaped(advice))</p>\n<p class=\"small\">Request \(HTMLPage.escaped(requestID))</p>")
        for field in Problem.headers(error) { reply.headers[field.name] = field.value }
        reply.error = error
        return reply
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
}
