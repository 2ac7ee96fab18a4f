enum MarkdownWord: String, WrittenKey {
    static let section = "markdown"

    /// `#`: the tags.
    case tags
    /// Above who says what.
    case transcript
    /// Before the notes.
    case notes
}

/// An entry in CommonMark: the title, or the date where there is none, as heading; date; tags; text; notes.
package enum MarkdownTranscript {
    /// - Parameters:
    ///   - words: written as they are, so that what the user wrote as Markdown stays Markdown.
    ///   - spoken: come after the words, each a paragraph in which nothing is markup.
    package static func text(_ transcript: Transcript, words: String, spoken: [SpokenLine] = []) -> String {
        let entry = transcript.entry
        let date = ReadableDates(locale: transcript.locale, language: transcript.language)
            .text(entry.facts.recordedAt, in: entry.facts.timeZone)
        let title = escaped(entry.personal.title ?? "")
        var blocks = title.isEmpty ? ["# \(date)"] : ["# \(title)", date]
        if !entry.personal.tags.isEmpty {
            let tags = entry.personal.tags.map(escaped).joined(separator: ", ")
            blocks.append(Words<MarkdownWord>(transcript.language)[.tags].replacing("#", with: tags))
        }
        if !words.isEmpty { blocks.append(words) }
        if !spoken.isEmpty { blocks.append("## \(Words<MarkdownWord>(transcript.language)[.transcript])") }
        for line in spoken { blocks.append((line.speaker.map { "**\(escaped($0)):** " } ?? "– ") + escaped(line.text)) }
        let text = blocks.joined(separator: "\n\n") + (blocks.last?.hasSuffix("\n") == true ? "" : "\n")
        return text + (transcript.notes { escaped($0) }.map { "\n\($0.heading)\n\n\($0.lines)" } ?? "")
    }

    /// One line in which nothing is markup: characters that have a meaning inside a line (CommonMark 0.31, section 6, and the tables and
    /// strikethrough of GitHub's form) get a backslash. What has one only at the start of a line stays: no title or tag stands there.
    static func escaped(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in SingleLine.words(of: text).joined(separator: " ".unicodeScalars) {
            if special.contains(scalar) { line.append("\\") }
            line.append(scalar)
        }
        return String(line)
    }

    private static let special = Set("\\`*_[]<>#&|~$".unicodeScalars)
}

extension Transcript {
    /// The notes as a list: what stands before it, and a line for each; nil without any.
    package func notes(_ text: (String) -> String = { $0 }) -> (heading: String, lines: String)? {
        let notes = entry.personal.orderedNotes
        guard !notes.isEmpty else { return nil }
        return (heading: Words<MarkdownWord>(language)[.notes], lines: notes.map { "- \(text($0.line))\n" }.joined())
    }
}
