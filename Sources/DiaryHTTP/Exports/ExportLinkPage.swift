import DiaryCore
import FoundationEssentials
import HTTPTypes

/// The pages of a mailed link, and of errors that a browser is shown.
enum ExportLinkPage {
    /// Says what is inside without a word of the diary: tags are named, not shown, because a mail's link may be open in front of others.
    /// - Parameter action: where the buttons post to.
    static func landing(_ shown: DownloadExport.Page, action: String, in language: WrittenLanguage) -> Reply {
        let (export, words) = (shown.export, ExportLinkWords(language))
        let dates = ReadableDates(locale: export.locale, language: language)
        let left = max(0, export.maxDownloads - export.downloads)
        var facts = [(export.from == export.to ? words[.day] : words[.days], dates.text(export.from, to: export.to))]
        if let selection = selection(export, words) { facts.append((words[.selection], selection)) }
        let count = export.entryCount.map { "\(words.counted(.entries, $0))\(words[.colon]) " } ?? ""
        facts.append((words[.inside], count + contents(export.contents, words)))
        if let size = export.sizeBytes { facts.append((words[.size], words.size(size))) }
        if export.hasSeveralParts {
            facts.append((words[.parts], words.language.number(export.parts.count)))
        } else {
            facts.append((words[.downloadsLeft], words.numbered(.numberOf, left, export.maxDownloads)))
        }
        if let end = export.expiresAt { facts.append((words[.worksUntil], dates.text(end, in: export.timeZone))) }
        let button =
            export.hasSeveralParts
            ? parts(of: export, action: action, words)
            : left > 0
                ? """
                <form method="post" action="\(HTMLPage.escaped(action))"><button type="submit">\(HTMLPage.escaped(words[.download]))</button></form>
                <p class="small">\(HTMLPage.escaped(words[.costs]))</p>
                """
                : "<p>\(HTMLPage.escaped(words[.allUsed]))</p>"
        let title = shown.app.map { words[.title].replacing("#", with: $0.name) } ?? words[.titleWithoutApp]
        return HTMLPage.reply(
            .ok, title: title, language: language, brand: shown.app ?? AppBrand(),
            "\(list(facts))\n\(button)\n<p class=\"small\">\(HTMLPage.escaped(words[.personal]))</p>")
    }

    private static func list(_ facts: [(name: String, value: String)]) -> String {
        let lines = facts.map { "<dt>\(HTMLPage.escaped($0.name))</dt><dd>\(HTMLPage.escaped($0.value))</dd>" }
        return "<dl>\n\(lines.joined(separator: "\n"))\n</dl>"
    }

    /// nil: all entries of the days.
    private static func selection(_ export: Export, _ words: ExportLinkWords) -> String? {
        if !export.selection.entries.isEmpty { return words[export.selection.entries.count == 1 ? .oneEntry : .chosenEntries] }
        var texts: [String] = []
        if export.sealedTags != nil || !export.selection.tags.isEmpty { texts.append(words[.withTags]) }
        switch export.selection.kind {
        case .voice?: texts.append(words[.recordingsAlone])
        case .text?: texts.append(words[.textsAlone])
        case nil: break
        }
        if export.selection.changedAfter != nil { texts.append(words[.changesAlone]) }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// `recordings, texts (Markdown, TXT), data (JSON), a page to read and search offline`
    private static func contents(_ contents: ExportContents, _ words: ExportLinkWords) -> String {
        var texts = contents.includeAudio ? [words[.recordings]] : []
        let formats = [(ExportFormat.md, "Markdown"), (.txt, "TXT")].filter { contents.formats.contains($0.0) }.map(\.1)
        if !formats.isEmpty { texts.append("\(words[.texts]) (\(formats.joined(separator: ", ")))") }
        if contents.formats.contains(.srt) { texts.append("\(words[.subtitles]) (SRT)") }
        return (texts + ["\(words[.data]) (JSON)", words[.overview]]).joined(separator: ", ")
    }

    /// A button for each part, with what is in it.
    private static func parts(of export: Export, action: String, _ words: ExportLinkWords) -> String {
        let count = export.parts.count
        let items = export.parts.map { part in
            let left = max(0, export.maxDownloads - part.downloads)
            let facts = [
                words.counted(.entries, part.entryCount), words.size(part.sizeBytes),
                "\(words[.downloadsLeft])\(words[.colon]) \(words.numbered(.numberOf, left, export.maxDownloads))",
            ].joined(separator: ", ")
            let button =
                left > 0
                ? """
                <form method="post" action="\(HTMLPage.escaped("\(action)?part=\(part.number)"))"><button type="submit">\
                \(HTMLPage.escaped(words.numbered(.downloadPart, part.number, count)))</button></form>
                """ : "<p>\(HTMLPage.escaped(words.numbered(.partUsed, part.number, count)))</p>"
            return "<li>\(button)\n<p class=\"small\">\(HTMLPage.escaped(facts))</p></li>"
        }
        return """
            <ul>
            \(items.joined(separator: "\n"))
            </ul>
            <p class="small">\(HTMLPage.escaped(words[.partCosts]))</p>
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

    /// - Parameter docs: where developers begin, for an address at which there is nothing: an operator or a developer may have opened the host.
    static func refusal(_ error: DiaryError, requestID: String, docs: String? = nil, in language: WrittenLanguage) -> Reply {
        let words = ExportLinkWords(language)
        let (title, text) =
            switch error.code {
            case .linkExpired: (words[.expiredTitle], words[.expiredText])
            case .linkRefused: (words[.refusedTitle], words[.refusedText])
            case .notFound: (words[.missingTitle], words[.missingText])
            case .methodNotAllowed: (words[.methodTitle], words[.methodText])
            default: (words[.otherTitle].replacing("#", with: error.code.title), words[.otherText])
            }
        var lines = ["<p>\(HTMLPage.escaped(text))</p>"]
        if error.code == .notFound, let docs {
            lines.append("<p><a href=\"\(HTMLPage.escaped(docs))\">\(HTMLPage.escaped(words[.developers]))</a></p>")
        }
        lines.append("<p class=\"small\">\(words[.request]) \(HTMLPage.escaped(requestID))</p>")
        var reply = HTMLPage.reply(
            HTTPResponse.Status(code: error.code.status), title: title, language: language, lines.joined(separator: "\n"))
        for field in Problem.headers(error) { reply.headers[field.name] = field.value }
        reply.error = error
        return reply
    }
}
